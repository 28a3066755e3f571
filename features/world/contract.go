package world

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/httpapi"
)

// Contract is a way over the network that holds every exchange to the document of
// the interfaces: route, method, status, headers and bodies.
var Contract http.RoundTripper = contract{http.DefaultTransport}

type contract struct{ next http.RoundTripper }

var documented = sync.OnceValues(func() (routers.Router, error) {
	// Browsers send JSON as plain text, so as not to have to ask first.
	openapi3filter.RegisterBodyDecoder("text/plain", func(body io.Reader, _ http.Header, _ *openapi3.SchemaRef, _ openapi3filter.EncodingFn) (any, error) {
		var value any
		return value, json.NewDecoder(body).Decode(&value)
	})
	document, err := openapi3.NewLoader().LoadFromData(httpapi.OpenAPI())
	if err != nil {
		return nil, err
	}
	return gorillamux.NewRouter(document)
})

// RoundTrip fails the spec when the exchange is not as the document says.
func (c contract) RoundTrip(request *http.Request) (*http.Response, error) {
	var sent []byte
	if request.Body != nil && request.Body != http.NoBody {
		var err error
		if sent, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
		request.Body = io.NopCloser(bytes.NewReader(sent))
	}
	response, err := c.next.RoundTrip(request)
	if err != nil {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return response, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	hold(request, sent, response, body)
	return response, nil
}

func hold(request *http.Request, sent []byte, response *http.Response, body []byte) {
	GinkgoHelper()
	router, err := documented()
	Expect(err).NotTo(HaveOccurred())
	asked := request.Clone(context.Background())
	asked.Body = io.NopCloser(bytes.NewReader(sent))
	if asked.Header.Get("Content-Type") == "" {
		asked.Header.Set("Content-Type", "application/json") // as which a body without a name is read
	}
	route, parameters, err := router.FindRoute(asked)
	switch {
	case errors.Is(err, routers.ErrMethodNotAllowed):
		Expect(response.StatusCode).To(Equal(http.StatusMethodNotAllowed))
		return
	case err != nil:
		return // a page beside the interface, or nothing
	}
	if response.StatusCode == http.StatusMethodNotAllowed {
		Expect(response.Header).To(HaveKey("Allow"))
		return
	}
	isJSON := strings.HasPrefix(response.Header.Get("Content-Type"), "application/json")
	input := &openapi3filter.RequestValidationInput{
		Request: asked, PathParams: parameters, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}
	if response.StatusCode < http.StatusBadRequest && len(sent) > 0 {
		told(openapi3filter.ValidateRequest(context.Background(), input), request, response)
	}
	told(openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: response.StatusCode, Header: response.Header,
		Body:    io.NopCloser(bytes.NewReader(body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, ExcludeResponseBody: !isJSON},
	}), request, response)
}

// told fails the spec with what the document objects to.
func told(objection error, request *http.Request, response *http.Response) {
	GinkgoHelper()
	if objection != nil {
		Fail(fmt.Sprintf("%s %s, answered with %d, is not as the document says: %v", request.Method, request.URL.Path, response.StatusCode, objection))
	}
}
