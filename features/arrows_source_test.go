package features_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// source is one Go file of the module. Files are parsed rather than listed by the go command, which would leave out
// those built for another system, the WASM client's among them.
type source struct {
	name  string // from the top of the module
	pkg   string // its folder, from there
	spec  bool
	tree  *ast.File
	files *token.FileSet
}

// clock are the functions of package time that read the clock or wait for it.
var clock = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// root is the folder of the module.
func root() string {
	GinkgoHelper()
	folder, err := os.Getwd()
	Expect(err).NotTo(HaveOccurred())
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		above := filepath.Dir(folder)
		Expect(above).NotTo(Equal(folder), "no go.mod above the specs")
		folder = above
	}
}

var parsed = sync.OnceValues(func() ([]source, error) { return parse(root()) })

// sources are all Go files of the module.
func sources() []source {
	GinkgoHelper()
	files, err := parsed()
	Expect(err).NotTo(HaveOccurred())
	Expect(files).NotTo(BeEmpty())
	return files
}

func parse(top string) ([]source, error) {
	var found []source
	files := token.NewFileSet()
	err := fs.WalkDir(os.DirFS(top), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != "." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata") {
			return fs.SkipDir
		}
		if entry.IsDir() || path.Ext(name) != ".go" {
			return nil
		}
		tree, err := parser.ParseFile(files, filepath.Join(top, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		found = append(found, source{name, path.Dir(name), strings.HasSuffix(name, "_test.go"), tree, files})
		return nil
	})
	return found, err
}

func (s source) imports() []string {
	GinkgoHelper()
	paths := make([]string, 0, len(s.tree.Imports))
	for _, spec := range s.tree.Imports {
		unquoted, err := strconv.Unquote(spec.Path.Value)
		Expect(err).NotTo(HaveOccurred())
		paths = append(paths, unquoted)
	}
	return paths
}

// clockCalls are the places where the file reads the clock, whatever name it imports package time under.
func (s source) clockCalls() []string {
	name := ""
	for _, spec := range s.tree.Imports {
		if spec.Path.Value == `"time"` {
			name = "time"
			if spec.Name != nil {
				name = spec.Name.Name
			}
		}
	}
	return s.places(func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			from, plain := node.X.(*ast.Ident)
			return name != "" && plain && from.Name == name && slices.Contains(clock, node.Sel.Name)
		case *ast.Ident:
			return name == "." && slices.Contains(clock, node.Name)
		}
		return false
	})
}

func (s source) structTags() []string {
	return s.places(func(node ast.Node) bool {
		field, ok := node.(*ast.Field)
		return ok && field.Tag != nil
	})
}

// places are the positions of the nodes that match.
func (s source) places(match func(ast.Node) bool) []string {
	var found []string
	ast.Inspect(s.tree, func(node ast.Node) bool {
		if node != nil && match(node) {
			found = append(found, s.files.Position(node.Pos()).String())
		}
		return true
	})
	return found
}
