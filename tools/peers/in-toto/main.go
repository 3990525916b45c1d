// Command attestation-judge verifies a DSSE envelope with an in-toto statement offline, with the Go libraries of in-toto.
//
//	attestation-judge KEY COMMIT < ENVELOPE
//
// KEY is a file with the public key (SPKI in PEM), COMMIT the id of the commit that the statement has to be about. The
// program prints the type of the predicate and ends with 0 if all is sound; otherwise with 1, and says what is wrong, or
// with 2 if it was called in another way.
package main

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"

	intoto "github.com/in-toto/attestation/go/v1"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"google.golang.org/protobuf/encoding/protojson"
)

var errUsage = errors.New("usage: attestation-judge KEY COMMIT < ENVELOPE")

func main() {
	predicateType, err := run(os.Args[1:])
	if err == nil {
		fmt.Println(predicateType)
		return
	}
	fmt.Fprintln(os.Stderr, "attestation-judge:", err)
	if errors.Is(err, errUsage) {
		os.Exit(2)
	}
	os.Exit(1)
}

func run(args []string) (string, error) {
	if len(args) != 2 {
		return "", errUsage
	}
	key, err := readKey(args[0])
	if err != nil {
		return "", err
	}
	statement, err := open(key)
	if err != nil {
		return "", err
	}
	if err := statement.Validate(); err != nil {
		return "", err
	}
	for _, subject := range statement.GetSubject() {
		if subject.GetDigest()["gitCommit"] == args[1] {
			return statement.GetPredicateType(), nil
		}
	}
	return "", fmt.Errorf("no subject is the commit %s", args[1])
}

func readKey(file string) (ed25519.PublicKey, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("the key is not PEM")
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	public, ok := key.(ed25519.PublicKey)
	if !ok {
		return nil, errors.New("the key is not of Ed25519")
	}
	return public, nil
}

// open verifies the envelope on stdin and returns its statement.
func open(key ed25519.PublicKey) (*intoto.Statement, error) {
	var envelope dsse.Envelope
	if err := json.NewDecoder(os.Stdin).Decode(&envelope); err != nil {
		return nil, err
	}
	verifier, err := dsse.NewEnvelopeVerifier(trusted{key})
	if err != nil {
		return nil, err
	}
	if _, err := verifier.Verify(context.Background(), &envelope); err != nil {
		return nil, err
	}
	if envelope.PayloadType != "application/vnd.in-toto+json" {
		return nil, fmt.Errorf("the payload is of type %s", envelope.PayloadType)
	}
	payload, err := envelope.DecodeB64Payload()
	if err != nil {
		return nil, err
	}
	var statement intoto.Statement
	return &statement, protojson.Unmarshal(payload, &statement)
}

// trusted verifies signatures by one key, whatever id an envelope gives it.
type trusted struct{ key ed25519.PublicKey }

func (t trusted) Verify(_ context.Context, data, signature []byte) error {
	if ed25519.Verify(t.key, data, signature) {
		return nil
	}
	return errors.New("the key has not signed the envelope")
}

func (t trusted) KeyID() (string, error) { return "", nil }

func (t trusted) Public() crypto.PublicKey { return t.key }
