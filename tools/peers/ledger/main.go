// Command log-judge checks an exported log, and single proofs, with the code of Go's checksum database: its packages
// note and tlog.
//
//	log-judge folder FOLDER KEY...
//	log-judge inclusion < JSON
//	log-judge consistency < JSON
//
// FOLDER is laid out as C2SP tlog-tiles says, with a folder `disclosed` besides; KEY is the text of a verifier key. The
// JSON is an array of proofs, as the types below say, with hashes in base64. The program ends with 0 if all is sound;
// otherwise with 1, and says what is wrong, or with 2 if it was called in another way.
package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	err := run(os.Args[1:])
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "log-judge:", err)
	if errors.Is(err, errUsage) {
		os.Exit(2)
	}
	os.Exit(1)
}

var errUsage = errors.New("usage: log-judge folder FOLDER KEY... | inclusion | consistency")

func run(args []string) error {
	switch {
	case len(args) >= 3 && args[0] == "folder":
		return judgeFolder(args[1], args[2:])
	case len(args) == 1 && args[0] == "inclusion":
		return judgeProofs(inclusion.check)
	case len(args) == 1 && args[0] == "consistency":
		return judgeProofs(consistency.check)
	}
	return errUsage
}

// inclusion is a proof that an entry is in a log.
type inclusion struct {
	Index    int64    `json:"index"`
	Size     int64    `json:"size"`
	Entry    []byte   `json:"entry"`
	RootHash string   `json:"rootHash"`
	Hashes   []string `json:"hashes"`
}

func (proof inclusion) check() error {
	root, hashes, err := parseHashes(proof.RootHash, proof.Hashes)
	if err != nil {
		return err
	}
	return tlog.CheckRecord(hashes, proof.Size, root, proof.Index, tlog.RecordHash(proof.Entry))
}

// consistency is a proof that a log begins with an older one.
type consistency struct {
	From         int64    `json:"from"`
	FromRootHash string   `json:"fromRootHash"`
	To           int64    `json:"to"`
	ToRootHash   string   `json:"toRootHash"`
	Hashes       []string `json:"hashes"`
}

func (proof consistency) check() error {
	root, hashes, err := parseHashes(proof.ToRootHash, proof.Hashes)
	if err != nil {
		return err
	}
	older, err := tlog.ParseHash(proof.FromRootHash)
	if err != nil {
		return err
	}
	return tlog.CheckTree(hashes, proof.To, root, proof.From, older)
}

// judgeProofs reads proofs from standard input. It prints the positions of those that are false.
func judgeProofs[Proof any](check func(Proof) error) error {
	var proofs []Proof
	if err := json.NewDecoder(os.Stdin).Decode(&proofs); err != nil {
		return err
	}
	refused := []int{}
	for at, proof := range proofs {
		if check(proof) != nil {
			refused = append(refused, at)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(refused); err != nil || len(refused) == 0 {
		return err
	}
	return fmt.Errorf("%d of %d proofs are false", len(refused), len(proofs))
}

func parseHashes(rootText string, texts []string) (root tlog.Hash, hashes []tlog.Hash, err error) {
	for _, text := range append([]string{rootText}, texts...) {
		bytes, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(bytes) != tlog.HashSize {
			return root, nil, fmt.Errorf("%q is no hash", text)
		}
		hashes = append(hashes, tlog.Hash(bytes))
	}
	return hashes[0], hashes[1:], nil
}
