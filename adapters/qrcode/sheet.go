package qrcode

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed sheet.html
var layout string

var sheet = template.Must(template.New("sheet").Parse(layout))

// Label is one code on a sheet with what stands under it.
type Label struct {
	Address  string // what the code says
	Title    string // in any script
	Subtitle string
	ID       string
}

// MostColumns is as many codes side by side as still scan well from A4 paper.
const MostColumns = 6

// Sheet writes labels as one HTML document that is made to be printed on A4, with
// that many columns, and needs nothing else to be shown.
func Sheet(w io.Writer, labels []Label, columns int) error {
	type drawn struct {
		Label
		Code template.HTML
	}
	all := make([]drawn, len(labels))
	for i, label := range labels {
		code, err := Codes{}.SVG(label.Address)
		if err != nil {
			return err
		}
		all[i] = drawn{Label: label, Code: template.HTML(code)} //nolint:gosec // a picture that we drew
	}
	err := sheet.Execute(w, struct {
		Labels  []drawn
		Columns int
	}{all, min(max(columns, 1), MostColumns)})
	if err != nil {
		return fmt.Errorf("write a sheet: %w", err)
	}
	return nil
}
