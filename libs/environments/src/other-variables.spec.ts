import { describeFault } from './fault';
import { type CLIENT_VARIABLES, ORCHESTRATOR_VARIABLES } from './other-variables';
import { readVariables, type VariableName } from './variables';

const value = (name: VariableName, text: string) => readVariables({ [name]: text }, [name]).values[name];
const faults = (name: VariableName, text: string) =>
  readVariables({ [name]: text }, [name])
    .faults.map(describeFault)
    .join();

/** Spec: Client, Variables of a host-side orchestrator session. */
const ORCHESTRATOR: Record<keyof typeof ORCHESTRATOR_VARIABLES, () => void> = {
  PLAT_ORCHESTRATOR_ID() {
    expect(value('PLAT_ORCHESTRATOR_ID', 'night-shift')).toBe('night-shift');
    expect(value('PLAT_ORCHESTRATOR_ID', '')).toBeUndefined();
  },
  PLAT_ORCHESTRATOR_LAUNCH() {
    const id = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
    expect(value('PLAT_ORCHESTRATOR_LAUNCH', id)).toBe(id);
    expect(faults('PLAT_ORCHESTRATOR_LAUNCH', '1')).toBe('PLAT_ORCHESTRATOR_LAUNCH "1" is no UUID');
  },
  PLAT_OUTPUTS_DIR() {
    expect(ORCHESTRATOR_VARIABLES.PLAT_OUTPUTS_DIR.default).toBe('unset');
    expect(value('PLAT_OUTPUTS_DIR', '/home/me/outputs')).toBe('/home/me/outputs');
  },
  PLAT_UI_SESSION() {
    expect(value('PLAT_UI_SESSION', '1')).toBe(true);
    expect(faults('PLAT_UI_SESSION', 'true')).toBe('PLAT_UI_SESSION "true" is not 1');
  },
  PLAT_DEV_BIN_DIR() {
    expect(value('PLAT_DEV_BIN_DIR', '/work/bin')).toBe('/work/bin');
    expect(faults('PLAT_DEV_BIN_DIR', 'bin')).toBe('PLAT_DEV_BIN_DIR "bin" is no absolute path');
  },
  AGENT_SUBAGENT_MODEL() {
    expect(value('AGENT_SUBAGENT_MODEL', 'large')).toBe('large');
  },
};

/** Spec: Client, Variables read by the client. */
const CLIENT: Record<keyof typeof CLIENT_VARIABLES, () => void> = {
  PLAT_IDLE_PROBE() {
    expect(value('PLAT_IDLE_PROBE', 'true')).toBe(true);
    expect(faults('PLAT_IDLE_PROBE', '1')).toBe('PLAT_IDLE_PROBE "1" is not true');
  },
  PLAT_FORCE_TTY() {
    expect(value('PLAT_FORCE_TTY', '1')).toBe(true);
    expect(faults('PLAT_FORCE_TTY', 'yes')).toBe('PLAT_FORCE_TTY "yes" is not 1');
  },
  PLAT_LOCAL_SHELL_OVERRIDE() {
    expect(value('PLAT_LOCAL_SHELL_OVERRIDE', '1')).toBe(true);
    expect(faults('PLAT_LOCAL_SHELL_OVERRIDE', '/bin/sh')).toBe(
      'PLAT_LOCAL_SHELL_OVERRIDE "/bin/sh" is not 1',
    );
  },
};

describe("the variables of an orchestrator's session", () => {
  it.each(Object.entries(ORCHESTRATOR))('%s', (_name, check) => check());
});

describe('the variables read by the client', () => {
  it.each(Object.entries(CLIENT))('%s', (_name, check) => check());
});
