package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path"
	"strings"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

// The code with which a container runtime ends a command whose program is missing.
const programMissing = 127

func (pods podTable) serveExec(writer http.ResponseWriter, request *http.Request) {
	options, err := remotecommand.NewOptions(request)
	if err != nil {
		http.Error(writer, err.Error(), http.StatusBadRequest)
		return
	}
	name := request.PathValue("namespace") + "/" + request.PathValue("pod")
	remotecommand.ServeExec(writer, request, pods, name, "", request.PathValue("container"),
		request.URL.Query()["command"], options, idleTimeout, creationTimeout, remotecommand.SupportedStreamingProtocols)
}

// ExecInContainer runs a program that the pod has by its name: "programs" leads from the name to the program's file.
// "folders" leads from a folder of the pod to one of this machine, and an argument that names a path in the former gets
// the latter: the program has no file system of its own. Its environment is a PATH. Input and terminals are refused.
func (pods podTable) ExecInContainer(ctx context.Context, name, _, _ string, command []string, in io.Reader,
	out, err io.WriteCloser, tty bool, _ <-chan remotecommand.TerminalSize, _ time.Duration) error {
	if in != nil || tty {
		return errors.New("forward-node passes no input on and has no terminals")
	}
	has, failure := pods.find(name)
	if failure != nil {
		return failure
	}
	file, found := has.Programs[command[0]]
	if !found {
		missing := fmt.Errorf("exec: %q: executable file not found in $PATH", command[0])
		fmt.Fprintln(err, missing)
		return utilexec.CodeExitError{Err: missing, Code: programMissing}
	}
	arguments := make([]string, 0, len(command))
	for _, argument := range command[1:] {
		arguments = append(arguments, has.onMachine(argument))
	}
	process := exec.CommandContext(ctx, file, arguments...)
	process.Stdout, process.Stderr = out, err
	process.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin"}
	failure = process.Run()
	var ended *exec.ExitError
	if errors.As(failure, &ended) && ended.Exited() {
		return utilexec.CodeExitError{Err: failure, Code: ended.ExitCode()}
	}
	return failure
}

// onMachine replaces a folder of the pod at the start of an argument, or after the sign of equality of a flag.
func (has pod) onMachine(argument string) string {
	flag, value, isFlag := strings.Cut(argument, "=")
	if !strings.HasPrefix(argument, "--") || !isFlag {
		flag, value = "", argument
	} else {
		flag += "="
	}
	for folder, local := range has.Folders {
		if value == folder || strings.HasPrefix(value, folder+"/") {
			return flag + path.Join(local, strings.TrimPrefix(value, folder))
		}
	}
	return argument
}
