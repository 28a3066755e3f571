package treefile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/cmd/continuity/treefile"
	"continuity/domain/fault"
	"continuity/domain/scan"
)

func TestTreefile(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Treefile")
}

var _ = Describe("A list of trees", func() {
	read := func(text string) treefile.List {
		GinkgoHelper()
		list, err := treefile.Read(strings.NewReader(text), nil)
		Expect(err).NotTo(HaveOccurred())
		return list
	}

	DescribeTable("is read whatever its columns and separators are", func(text string) {
		list := read(text)
		Expect(list.Bad).To(BeEmpty())
		Expect(list.Rows).To(HaveLen(1))
		Expect(list.Rows[0].Tree).To(Equal(scan.Tree{
			ID: "oak-1", Name: "Dub, starý", Species: "Quercus robur", Place: &scan.Place{Lat: 48.1, Lon: 17.2},
		}))
	},
		Entry("of our own names", "id,name,species,lat,lon\noak-1,\"Dub, starý\",Quercus robur,48.1,17.2\n"),
		Entry("of others' names", "Longitude,LATITUDE,Botanical Name,common-name,Tree_ID\n17.2,48.1,Quercus robur,\"Dub, starý\",oak-1"),
		Entry("from a spreadsheet", "\ufeffid;name;species;lat;lon\r\noak-1;Dub, starý;Quercus robur;48,1;17,2\r\n"),
		Entry("between tabs", "id\tname\tspecies\tlat\tlon\n oak-1 \tDub, starý\tQuercus robur\t48.1\t17.2\n"),
	)

	It("is read to its end, and every bad row is told by its line", func() {
		list := read("id,name,lat,lon,url\n" + // 1
			"ok,Oak,1,2,\n" + // 2
			"a b,Elm,1,2,\n" + // 3
			",Elm,1,2,\n" + // 4
			"two,\"on\ntwo lines\",1,2,\n" + // 5, 6
			"far,Elm,91,2,\n" + // 7
			"nan,Elm,NaN,2,\n" + // 8
			"txt,Elm,north,2,\n" + // 9
			"half,Elm,1,,\n" + // 10
			"js,Elm,1,2,javascript:alert(1)\n" + // 11
			"short,Elm\n" + // 12
			"ok,Oak again,1,2,\n" + // 13
			"q,\"a\"b,1,2,\n" + // 14
			"fine,Ash,,,https://www.example.org/\n", // 15
		)
		Expect(list.Rows).To(HaveLen(2))
		var lines []int
		for _, bad := range list.Bad {
			lines = append(lines, bad.Line)
			Expect(bad.Reason).NotTo(BeEmpty())
		}
		Expect(lines).To(Equal([]int{3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14}))
	})

	DescribeTable("is refused as a whole", func(text, field string, named map[treefile.Field]string) {
		_, err := treefile.Read(strings.NewReader(text), named)
		Expect(fault.CodeOf(err)).To(Equal(fault.Invalid))
		Expect(err).To(MatchError(HavePrefix(field + ": ")))
	},
		Entry("empty", "", "file", nil), Entry("without ids", "name\nOak\n", "id", nil),
		Entry("without a column that was named", "id,name\n1,Oak\n", "species", map[treefile.Field]string{treefile.Species: "taxon"}),
		Entry("with half a place", "id,lat\n1,48\n", "lat", nil),
	)

	It("may be told its columns", func() {
		list, err := treefile.Read(strings.NewReader("id,Nr.,strom\n1,oak-7,Dub\n"),
			map[treefile.Field]string{treefile.ID: "Nr.", treefile.Name: "STROM"})
		Expect(err).NotTo(HaveOccurred())
		Expect(list.Rows[0].Tree).To(Equal(scan.Tree{ID: "oak-7", Name: "Dub"}))
	})

	It("leaves alone what it has no column for", func() {
		list := read("id,name\noak,Dub\n")
		tree := scan.Tree{ID: "oak", Name: "Oak", Species: "Quercus", Place: &scan.Place{}, Target: "https://www.example.org"}
		list.Apply(list.Rows[0], &tree)
		Expect(tree).To(Equal(scan.Tree{ID: "oak", Name: "Dub", Species: "Quercus", Place: &scan.Place{}, Target: "https://www.example.org"}))
	})

	It("is read from a city's open data as it is", func() {
		corpus := os.Getenv("CORPUS")
		if corpus == "" {
			Skip("CORPUS names no folder of real data")
		}
		file, err := os.Open(filepath.Join(corpus, "trees", "toronto_street_trees_1500.csv"))
		Expect(err).NotTo(HaveOccurred())
		defer file.Close()
		list, err := treefile.Read(file, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(list.Bad).To(BeEmpty())
		Expect(list.Rows).To(HaveLen(1500))
		Expect(list.Rows[0].Tree).To(Equal(scan.Tree{
			ID: "EY10105", Name: "Spruce, Colorado blue", Species: "Picea pungens", Place: &scan.Place{Lat: 43.70515, Lon: -79.32215},
		}))
	})
})
