package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// leaf is an entry, as far as it is needed to check what is disclosed of it.
type leaf struct {
	Kind string `json:"kind"`
	Open []byte `json:"open"`
}

// disclosure is a line of the folder `disclosed`. Without fields these were erased.
type disclosure struct {
	Index  int64           `json:"index"`
	Salt   []byte          `json:"salt"`
	Fields json.RawMessage `json:"fields"`
}

// checkDisclosed checks that each entry commits to the fields that are shown of it, and that a later erasure names each
// entry of which none are shown.
func checkDisclosed(folder string, entries [][]byte) error {
	lines, err := readDisclosed(folder, int64(len(entries)))
	if err != nil {
		return err
	}
	erased := map[int64]bool{}
	for index := int64(len(entries)) - 1; index >= 0; index-- {
		var entry leaf
		if err := json.Unmarshal(entries[index], &entry); err != nil {
			return fmt.Errorf("entry %d: %w", index, err)
		}
		var shown disclosure
		if err := json.Unmarshal(lines[index], &shown); err != nil || shown.Index != index {
			return fmt.Errorf("entry %d is disclosed by the line %q", index, lines[index])
		}
		if shown.Fields == nil {
			if !erased[index] {
				return fmt.Errorf("entry %d has no fields, and no erasure names it", index)
			}
			continue
		}
		committed := sha256.Sum256(append(shown.Salt, shown.Fields...))
		if len(shown.Salt) != 16 || !bytes.Equal(committed[:], entry.Open) {
			return fmt.Errorf("entry %d does not commit to the fields that are shown of it", index)
		}
		if entry.Kind == "erasure" {
			if err := readErasure(shown.Fields, erased); err != nil {
				return fmt.Errorf("entry %d: %w", index, err)
			}
		}
	}
	return nil
}

func readDisclosed(folder string, size int64) ([][]byte, error) {
	var lines [][]byte
	for index := int64(0); index*tileWidth < size; index++ {
		width := min(tileWidth, size-index*tileWidth)
		text, err := os.ReadFile(filepath.Join(folder, "disclosed", place(index, width)))
		if err != nil {
			return nil, err
		}
		found := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
		if int64(len(found)) != width {
			return nil, fmt.Errorf("%d entries are disclosed of the %d from %d on", len(found), width, index*tileWidth)
		}
		lines = append(lines, found...)
	}
	return lines, nil
}

// readErasure adds the entries that an erasure names, such as 3-7,9.
func readErasure(fields []byte, erased map[int64]bool) error {
	var erasure struct {
		Entries string `json:"entries"`
	}
	if err := json.Unmarshal(fields, &erasure); err != nil {
		return err
	}
	for _, part := range strings.Split(erasure.Entries, ",") {
		firstText, lastText, isRange := strings.Cut(part, "-")
		if !isRange {
			lastText = firstText
		}
		first, err := strconv.ParseInt(firstText, 10, 64)
		if err != nil {
			return err
		}
		last, err := strconv.ParseInt(lastText, 10, 64)
		if err != nil {
			return err
		}
		for index := first; index <= last; index++ {
			erased[index] = true
		}
	}
	return nil
}
