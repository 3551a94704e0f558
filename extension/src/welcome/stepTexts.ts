import type { InstallationKind } from '../platform/installation.ts';
import { effectTexts } from '../ui/effectTexts.ts';
import { t } from '../ui/texts.ts';
import type { StepName } from './steps.ts';

/** What a step is, however it stands. */
export interface StepTexts {
  readonly title: string;
  /** What it is for. */
  readonly gives: string;
  /** What was measured of it. */
  readonly effects: readonly string[];
  /** What it means for privacy. */
  readonly privacy: string;
}

export function stepTexts(installation: InstallationKind): Readonly<Record<StepName, StepTexts>> {
  const effects = effectTexts();
  return {
    access: { title: t('welcomeAccess'), gives: t('welcomeAccessGives'), effects: [effects[installation]], privacy: t('welcomeAccessPrivacy') },
    helper: { title: t('welcomeHelper'), gives: t('welcomeHelperGives'), effects: [t('welcomeHelperEffect')], privacy: t('welcomeHelperPrivacy') },
    connections: { title: t('welcomeConnections'), gives: t('welcomeConnectionsGives'), effects: [effects.tunnel], privacy: t('welcomeConnectionsPrivacy') },
    trust: { title: t('welcomeTrust'), gives: t('welcomeTrustGives'), effects: [effects.interception, t('welcomeWithMemory', effects.secondVisits)], privacy: t('welcomeTrustPrivacy') },
    driver: { title: t('welcomeDriver'), gives: t('welcomeDriverGives'), effects: [effects.driver], privacy: t('welcomeDriverPrivacy') },
  };
}
