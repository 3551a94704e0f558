import { existsSync, rmSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FirstscreenError, codeOf } from '../../../../shared/src/errors.ts';
import type { Destination } from '../../../../shared/src/names/authority.ts';
import { PRIVATE_FILE_MODE, missingDirectories, readBytesIfPresent, writeAtomically } from '../../files.ts';
import { readRelayConfig, relayConfigPath } from '../../relay/relayConfig.ts';
import { probeRelay } from '../../relay/relayProbe.ts';
import type { Machine } from '../machine.ts';
import { planRelayAdd, relayClientName, type RelayReport } from '../relay.ts';
import { describeRelayFault } from '../relayFault.ts';
import { applySteps, type Plan } from '../steps.ts';

/** A relay that was told of this helper takes it over within a second. */
const CHECK_TRIES = 4;
const CHECK_PAUSE_MS = 1_000;

/** What happens on this machine: the same as `relay add`, with a key that the relay is told of before. */
export class OwnSide {
  /** In the relay's list. */
  readonly name: string;
  private readonly address: Destination;
  private readonly machine: Machine;
  private readonly hostName: string;
  private relayFingerprint = '';
  private plan: Plan<RelayReport> | null = null;
  /** What the file had; undefined until it is about to be written. */
  private before: Buffer | null | undefined;
  private madeDirectories: readonly string[] = [];

  constructor(address: Destination, machine: Machine, hostName: string) {
    [this.address, this.machine, this.hostName, this.name] = [address, machine, hostName, relayClientName(hostName)];
  }

  /** The relay's own fingerprint. */
  learn(fingerprint: string): void {
    this.relayFingerprint = fingerprint;
  }

  /** Of this helper's key for that relay. */
  async fingerprint(): Promise<string> {
    this.plan ??= await planRelayAdd({ action: 'add', ...this.address, fingerprint: this.relayFingerprint }, this.machine, this.hostName, new Date());
    return this.plan.report.fingerprint;
  }

  /** @throws FirstscreenError E_INSTALL */
  write(): void {
    const path = relayConfigPath(this.machine);
    this.before = readBytesIfPresent(path);
    this.madeDirectories = missingDirectories(dirname(path));
    applySteps(this.plan?.steps ?? []);
  }

  restore(): void {
    const path = relayConfigPath(this.machine);
    if (this.before === undefined) return;
    if (this.before === null) rmSync(path, { force: true });
    else writeAtomically(path, this.before, PRIVATE_FILE_MODE);
    for (const directory of this.madeDirectories.toReversed()) if (existsSync(directory)) rmdirSync(directory);
  }

  /** @throws FirstscreenError as probeRelay, in words about that relay */
  async check(): Promise<void> {
    const config = readRelayConfig(this.machine);
    if (config === null) throw new FirstscreenError('E_RELAY_CONFIG', 'what was just written is gone.', 'Run the command again.');
    for (let left = CHECK_TRIES - 1; ; left -= 1) {
      try {
        await probeRelay(config);
        return;
      } catch (error) {
        if (left > 0) {
          await sleep(CHECK_PAUSE_MS);
          continue;
        }
        const { detail, next } = describeRelayFault(error, config);
        throw new FirstscreenError(codeOf(error), `${detail}.`, next, { cause: error });
      }
    }
  }
}
