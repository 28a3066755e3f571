package httpapi

import (
	_ "embed" // for the document
	"net/http"
)

//go:embed openapi.yaml
var openAPI []byte

// OpenAPI is the document of both interfaces, in OpenAPI 3.1.
func OpenAPI() []byte { return openAPI }

func contract(w http.ResponseWriter, _ *http.Request) error {
	header := w.Header()
	header.Set("Cache-Control", "no-cache")
	header.Set("Content-Type", "application/yaml")
	header.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(openAPI)
	return nil
}
