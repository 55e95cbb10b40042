package process

import (
	"os"
	"os/exec"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// jobs are the jobs of processes that were started and not killed yet, by their commands.
var jobs sync.Map // of windows.Handle

// Start starts a process in a job of its own, which has it killed with its children when
// this process ends. A child that it starts before it is in the job stays outside.
func Start(cmd *exec.Cmd) error {
	job, err := newJob()
	if err != nil {
		return os.NewSyscallError("CreateJobObject", err)
	}
	if err := cmd.Start(); err != nil {
		windows.CloseHandle(job) //nolint:errcheck // nothing is in it
		return err
	}
	if err := assign(job, cmd.Process.Pid); err != nil {
		// It has ended already, or belongs to a job that allows none within it: Kill ends the
		// process alone.
		windows.CloseHandle(job) //nolint:errcheck // nothing is in it
		return nil
	}
	jobs.Store(cmd, job)
	return nil
}

// newJob makes a job whose processes end with its last handle, which the system closes
// when this process ends.
func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		windows.CloseHandle(job) //nolint:errcheck // nothing is in it
		return 0, err
	}
	return job, nil
}

func assign(job windows.Handle, pid int) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process) //nolint:errcheck // the process stays
	return windows.AssignProcessToJobObject(job, process)
}

// Kill kills a process and its children.
func Kill(cmd *exec.Cmd) error {
	job, ok := jobs.LoadAndDelete(cmd)
	if !ok {
		if cmd.Process == nil {
			return os.ErrProcessDone
		}
		return cmd.Process.Kill()
	}
	defer windows.CloseHandle(job.(windows.Handle)) //nolint:errcheck // its processes have ended
	return windows.TerminateJobObject(job.(windows.Handle), 1)
}

// terminate does nothing: there is no such signal.
func terminate(*exec.Cmd) {}
