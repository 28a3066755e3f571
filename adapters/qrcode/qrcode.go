// Package qrcode draws the codes that stand on trees, and sheets of them to print.
//
// Decisions taken here: a code outdoors gets scratched, wet and mossy, so it is
// drawn with error correction Q (a quarter of it may be lost; H would make the
// modules of a usual address smaller for a little more), and with the quiet zone of
// four modules that ISO/IEC 18004 asks for. Nothing is laid over it.
package qrcode

import (
	"fmt"
	"image/color"

	qr "github.com/piglig/go-qr"
)

const (
	quietZone = 4  // modules
	pixels    = 16 // per module of a PNG: some 600 to 900 in all, which prints well up to 10 cm
)

// Codes implements scanning.Codes.
type Codes struct{}

// SVG draws text as an SVG without a size of its own, to be scaled freely.
func (Codes) SVG(text string) ([]byte, error) {
	code, err := encode(text)
	if err != nil {
		return nil, err
	}
	drawn, err := code.ToSVGBytes(qr.NewQrCodeImgConfig(1, quietZone, qr.WithOptimalSVG(), qr.WithLight(color.White)))
	if err != nil {
		return nil, fmt.Errorf("draw a code: %w", err)
	}
	return drawn, nil
}

// PNG draws text as a PNG.
func (Codes) PNG(text string) ([]byte, error) {
	code, err := encode(text)
	if err != nil {
		return nil, err
	}
	drawn, err := code.ToPNGBytes(qr.NewQrCodeImgConfig(pixels, quietZone))
	if err != nil {
		return nil, fmt.Errorf("draw a code: %w", err)
	}
	return drawn, nil
}

func encode(text string) (*qr.QrCode, error) {
	code, err := qr.EncodeText(text, qr.Quartile)
	if err != nil {
		return nil, fmt.Errorf("encode a code: %w", err)
	}
	return code, nil
}
