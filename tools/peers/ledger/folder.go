package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A tile has 2^8 hashes, and a bundle as many entries.
const (
	tileHeight = 8
	tileWidth  = 1 << tileHeight
)

// judgeFolder checks a whole log: its signature, its entries by the root that is signed, its tiles, proofs that are made
// from the tiles, and what is disclosed of the entries.
func judgeFolder(folder string, keys []string) error {
	tree, err := openCheckpoint(folder, keys)
	if err != nil {
		return err
	}
	entries, err := readEntries(folder, tree.N)
	if err != nil {
		return err
	}
	stored, err := storeHashes(entries)
	if err != nil {
		return err
	}
	root, err := tlog.TreeHash(tree.N, stored)
	if err != nil {
		return err
	}
	if root != tree.Hash {
		return fmt.Errorf("the entries have the root %v, and %v is signed", root, tree.Hash)
	}
	if err := checkTiles(folder, tree, stored); err != nil {
		return err
	}
	if err := checkProofs(folder, tree, entries); err != nil {
		return err
	}
	return checkDisclosed(folder, entries)
}

// openCheckpoint verifies the note. Its text is that of a tree of the checksum database, save for the first line.
func openCheckpoint(folder string, keys []string) (tlog.Tree, error) {
	signed, err := os.ReadFile(filepath.Join(folder, "checkpoint"))
	if err != nil {
		return tlog.Tree{}, err
	}
	verifiers := make([]note.Verifier, len(keys))
	for at, key := range keys {
		if verifiers[at], err = note.NewVerifier(key); err != nil {
			return tlog.Tree{}, err
		}
	}
	opened, err := note.Open(signed, note.VerifierList(verifiers...))
	if err != nil {
		return tlog.Tree{}, err
	}
	origin, rest, _ := strings.Cut(opened.Text, "\n")
	if origin != opened.Sigs[0].Name {
		return tlog.Tree{}, fmt.Errorf("%s has signed a checkpoint of %s", opened.Sigs[0].Name, origin)
	}
	return tlog.ParseTree([]byte("go.sum database tree\n" + rest))
}

// readEntries reads all bundles.
func readEntries(folder string, size int64) ([][]byte, error) {
	var entries [][]byte
	for index := int64(0); index*tileWidth < size; index++ {
		width := min(tileWidth, size-index*tileWidth)
		bundle, err := os.ReadFile(filepath.Join(folder, "tile", "entries", place(index, width)))
		if err != nil {
			return nil, err
		}
		for range width {
			if len(bundle) < 2 || len(bundle) < 2+int(binary.BigEndian.Uint16(bundle)) {
				return nil, fmt.Errorf("the bundle ends within entry %d", len(entries))
			}
			end := 2 + int(binary.BigEndian.Uint16(bundle))
			entries = append(entries, bundle[2:end])
			bundle = bundle[end:]
		}
		if len(bundle) > 0 {
			return nil, fmt.Errorf("the bundle goes on after entry %d", len(entries)-1)
		}
	}
	return entries, nil
}

// storeHashes computes all hashes of a log that never change, at tlog's positions.
func storeHashes(entries [][]byte) (tlog.HashReader, error) {
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(indexes))
		for at, index := range indexes {
			hashes[at] = stored[index]
		}
		return hashes, nil
	})
	for at, entry := range entries {
		hashes, err := tlog.StoredHashes(int64(at), entry, reader)
		if err != nil {
			return nil, err
		}
		stored = append(stored, hashes...)
	}
	return reader, nil
}

func checkTiles(folder string, tree tlog.Tree, stored tlog.HashReader) error {
	for _, tile := range tlog.NewTiles(tileHeight, 0, tree.N) {
		expected, err := tlog.ReadTileData(tile, stored)
		if err != nil {
			return err
		}
		found, err := readTile(folder, tile)
		if err != nil {
			return err
		}
		if !bytes.Equal(found, expected) {
			return fmt.Errorf("the tile %s is not that of the entries", tilePath(tile))
		}
	}
	return nil
}

// checkProofs makes proofs from the tiles alone, which tlog authenticates by the root, and checks them.
func checkProofs(folder string, tree tlog.Tree, entries [][]byte) error {
	if tree.N == 0 {
		return nil
	}
	reader := tlog.TileHashReader(tree, tiles(folder))
	for _, index := range []int64{0, tree.N / 3, tree.N / 2, tree.N - 1} {
		proof, err := tlog.ProveRecord(tree.N, index, reader)
		if err != nil {
			return err
		}
		if err := tlog.CheckRecord(proof, tree.N, tree.Hash, index, tlog.RecordHash(entries[index])); err != nil {
			return fmt.Errorf("entry %d: %w", index, err)
		}
		older, err := tlog.TreeHash(index+1, reader)
		if err != nil {
			return err
		}
		growth, err := tlog.ProveTree(tree.N, index+1, reader)
		if err != nil {
			return err
		}
		if err := tlog.CheckTree(growth, tree.N, tree.Hash, index+1, older); err != nil {
			return fmt.Errorf("from %d entries on: %w", index+1, err)
		}
	}
	return nil
}

// tiles reads tiles of a log's folder.
type tiles string

func (tiles) Height() int { return tileHeight }

func (folder tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	data := make([][]byte, len(wanted))
	for at, tile := range wanted {
		var err error
		if data[at], err = readTile(string(folder), tile); err != nil {
			return nil, err
		}
	}
	return data, nil
}

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func readTile(folder string, tile tlog.Tile) ([]byte, error) {
	return os.ReadFile(filepath.Join(folder, tilePath(tile)))
}

// tilePath is tlog's own path without the height of tiles, which C2SP has fixed.
func tilePath(tile tlog.Tile) string {
	return strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", tile.H), "tile/", 1)
}

// place is the path of a bundle below the folder of its kind: that of the tile beside it.
func place(index, width int64) string {
	return strings.TrimPrefix(tilePath(tlog.Tile{H: tileHeight, N: index, W: int(width)}), "tile/0/")
}
