// Command forward-node is the part of a node that port forwards and commands in a pod need, without containers: it
// serves the kubelet's endpoints for both with Kubernetes' own streaming code. A connection to a port of a pod leads to
// a port of 127.0.0.1, and a command in a pod runs as a process of this machine.
//
//	forward-node FILE
//
// FILE holds JSON: {"<namespace>/<pod>": {"ports": {"<port of the pod>": <port of 127.0.0.1>}, "programs": …,
// "folders": …}}; exec.go says what the last two are. Each new connection reads it, so that pods come and go while the
// program runs. The program prints the address that it listens on.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/portforward"
)

// The kubelet's defaults (streamingConnectionIdleTimeout, and that of its stream creation).
const (
	idleTimeout     = 4 * time.Hour
	creationTimeout = 30 * time.Second
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: forward-node FILE")
	}
	certificate, err := selfSigned()
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{
		Handler:   handlerOf(podTable{file: os.Args[1]}),
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}},
		// An HTTP/2 connection cannot be upgraded.
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
	}
	fmt.Printf("forward-node listens on %s\n", listener.Addr())
	log.Fatal(server.ServeTLS(listener, "", ""))
}

func handlerOf(pods podTable) http.Handler {
	forward := func(writer http.ResponseWriter, request *http.Request) {
		options, err := portforward.NewV4Options(request)
		if err != nil {
			http.Error(writer, err.Error(), http.StatusBadRequest)
			return
		}
		pod := request.PathValue("namespace") + "/" + request.PathValue("pod")
		portforward.ServePortForward(writer, request, pods, pod, "", options, idleTimeout, creationTimeout,
			[]string{portforward.ProtocolV1Name})
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/portForward/{namespace}/{pod}", forward)
	mux.HandleFunc("/portForward/{namespace}/{pod}/{uid}", forward)
	mux.HandleFunc("/exec/{namespace}/{pod}/{container}", pods.serveExec)
	mux.HandleFunc("/exec/{namespace}/{pod}/{uid}/{container}", pods.serveExec)
	return mux
}

// podTable is the file that says what each pod has.
type podTable struct{ file string }

// pod is what a pod has; exec.go says more of programs and folders.
type pod struct {
	Ports    map[string]int    `json:"ports"`
	Programs map[string]string `json:"programs"`
	Folders  map[string]string `json:"folders"`
}

func (pods podTable) find(name string) (pod, error) {
	text, err := os.ReadFile(pods.file)
	if err != nil {
		return pod{}, err
	}
	var table map[string]pod
	err = json.Unmarshal(text, &table)
	return table[name], err
}

// PortForward copies in both directions. When one has ended, the other has a second to end, too: what containerd does,
// which passes no half-close on.
func (pods podTable) PortForward(_ context.Context, pod string, _ string, port int32, stream io.ReadWriteCloser) error {
	defer stream.Close()
	connection, err := pods.dial(pod, port)
	if err != nil {
		return err
	}
	defer connection.Close()
	ended := make(chan error, 2)
	direction := func(to io.Writer, from io.Reader) {
		_, err := io.Copy(to, from)
		ended <- err
	}
	go direction(stream, connection)
	go direction(connection, stream)
	err = <-ended
	select {
	case second := <-ended:
		if err == nil {
			err = second
		}
	case <-time.After(time.Second):
	}
	return err
}

func (pods podTable) dial(pod string, port int32) (*net.TCPConn, error) {
	has, err := pods.find(pod)
	if err != nil {
		return nil, err
	}
	local, found := has.Ports[strconv.Itoa(int(port))]
	if !found {
		return nil, fmt.Errorf("failed to connect to localhost:%d inside pod %s: connection refused", port, pod)
	}
	return net.DialTCP("tcp", nil, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: local})
}

// selfSigned makes a certificate, as a kubelet without one does. The API server verifies none by default.
func selfSigned() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotAfter:     time.Now().AddDate(1, 0, 0),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	text, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	return tls.Certificate{Certificate: [][]byte{text}, PrivateKey: key}, err
}
