import { linkOptions } from '../../linkOptions.ts';
import { subjectOf, type Measured } from '../subject.ts';
import { PLAIN_PORT, REGISTERED_PORT } from '../transfers/plan.ts';
import { latenessText, transfer } from '../transfers/transfer.ts';
import { inTurns, plansInTurns } from '../turns.ts';
import { OPTIONS, type FairnessOptions } from './options.ts';
import { conditionText, markdownTable, summarize, type Condition, type FairnessPlan, type FairnessRun } from './summary.ts';

const POLICY = ['rar'];
const COMPANY = 10;

/** A plain flow beside ten that have RAR, against the same beside ten plain ones. */
export const fairness = subjectOf(OPTIONS, measure);

async function measure(options: FairnessOptions): Promise<Measured> {
  const described = (plan: FairnessPlan): string => `${conditionText(plan)}, ten ${plan.isRegistered ? 'with RAR' : 'plain'}`;
  const runs = await inTurns(plansInTurns(conditions(options), 'isRegistered', [true, false], options), options.parallel, (plan) => run(plan, options), described);
  const head = [
    `${options.link.length > 0 ? `link ${options.link.join(' ')}, ` : ''}driver at ${options.ends}, seed ${options.seed}; ${latenessText(runs)}`,
    `One plain bulk flow beside ten for ${options.seconds} s, after ${options.warmUpSeconds} s; ${options.rounds} rounds, ${options.parallel} links at once; ratios: the ten with RAR against plain.`,
  ];
  return { results: { options, runs }, rounds: options.rounds, table: markdownTable(summarize(runs, conditions(options), options.seed), head) };
}

function conditions({ profiles, losses, ten, ways, congestion }: FairnessOptions): Condition[] {
  return profiles.flatMap((profile) => losses.flatMap((loss) => congestion.flatMap((name) => ten.flatMap((kind) => ways.map((way) => ({ profile, loss, congestion: name, ten: kind, way }))))));
}

async function run(plan: FairnessPlan, { link, ends, seconds, warmUpSeconds, seed }: FairnessOptions): Promise<FairnessRun> {
  const company = plan.ten === 'bulk' ? plan.way : 'requests';
  const { flows, link: carried, near, far } = await transfer({
    link: [...linkOptions(plan.profile), '--loss', String(plan.loss), ...link],
    flows: [`1x${plan.way}:${PLAIN_PORT}`, `${COMPANY}x${company}:${REGISTERED_PORT}`],
    seconds, warmUpSeconds, congestion: plan.congestion, seed: seed + plan.round,
    nearPolicy: plan.isRegistered ? POLICY : null, farPolicy: plan.isRegistered && ends === 'both' ? POLICY : null,
  });
  return { ...plan, flows, link: carried, near, far };
}
