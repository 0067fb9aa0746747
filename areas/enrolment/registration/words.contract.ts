import { RULE_LABELS } from '#areas/common/academics/registration-words.contract.ts'
import type { Label } from '#kit/contract/index.ts'
import type { RefusalCode } from './registration-refusals.rules.ts'

/** The rules in short: a code without a label does not compile. */
export const ruleLabels: Readonly<Record<RefusalCode, Label>> = RULE_LABELS
