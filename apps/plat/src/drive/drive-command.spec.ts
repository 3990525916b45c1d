import { driveCommand, giveUpCommand } from './drive-command';
import { repeatedFlags } from './drive-flags';

describe('the command of a drive, as a next step prints it', () => {
  const drive = {
    targetBranch: 'main',
    repeatedFlags: repeatedFlags(
      { 'gate-command': "make 'all'; true", 'pass-env': ['NPM_TOKEN', 'AWS_*'], 'forge-url': undefined },
      { flags: ['--record-checkpoint'] },
    ),
  };

  it('has the gate with which the drive ran, quoted: typed as it is, it gates in the same way', () => {
    expect(driveCommand(drive, '--take-over')).toBe(
      "plat drive --target-branch main --gate-command 'make '\\''all'\\''; true' --pass-env NPM_TOKEN --pass-env 'AWS_*' --record-checkpoint --take-over",
    );
  });

  it('that puts a review back has no gate', () => {
    expect(giveUpCommand(drive)).toBe('plat drive --target-branch main --give-up');
  });
});
