package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// unsupportedParsers are Conftest's parsers that are missing here: each needs its own library.
var unsupportedParsers = []string{
	"codeowners", "cue", "cyclonedx", "dockerfile", "dotenv", "edn", "groovy", "hcl1", "hcl2", "hocon", "ignore", "ini", "jsonc",
	"jsonnet", "nginx", "properties", "spdx", "textproto", "toml", "vcl", "xml",
}

type unsupportedParser struct{ what string }

func (e *unsupportedParser) Error() string {
	return fmt.Sprintf("Berth parses YAML and JSON for policies, not %s", e.what)
}

func parseConfiguration(parser, text string) (any, error) {
	switch {
	case parser == "yaml":
		return parseYAML([]byte(text))
	case parser == "json":
		var value any
		err := json.Unmarshal(bytes.TrimPrefix([]byte(text), []byte("\xef\xbb\xbf")), &value)
		return value, err
	case slices.Contains(unsupportedParsers, parser):
		return nil, &unsupportedParser{parser}
	}
	return nil, fmt.Errorf("unknown parser: %s", parser)
}

func parserOfFile(name string) (string, error) {
	switch extension := strings.ToLower(path.Ext(name)); extension {
	case ".yaml", ".yml":
		return "yaml", nil
	case ".json":
		return "json", nil
	}
	return "", &unsupportedParser{path.Base(name)}
}

// parseYAML returns a list for a file of several documents, else the document's value.
func parseYAML(text []byte) (any, error) {
	documents := yamlDocuments(text)
	var all []any
	for _, document := range documents {
		var value any
		if err := yaml.Unmarshal(document, &value); err != nil {
			return nil, err
		}
		all = append(all, value)
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return all, nil
}

// yamlDocuments splits where Conftest does: at lines that are exactly `---`. A
// directive at the top belongs to the document after it.
func yamlDocuments(text []byte) [][]byte {
	end := []byte("\n")
	if bytes.Contains(text, []byte("\r\n")) {
		end = []byte("\r\n")
	}
	separator := slices.Concat(end, []byte("---"), end)
	documents := bytes.Split(text, separator)
	if len(documents) > 1 && bytes.HasPrefix(text, []byte("%")) {
		first := slices.Concat(documents[0], separator, documents[1])
		return append([][]byte{first}, documents[2:]...)
	}
	return documents
}
