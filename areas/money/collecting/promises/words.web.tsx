import { Status } from '#kit/web/feedback/index.ts'
import { useLabel } from '#kit/web/i18n/index.ts'
import { PROMISE_STATES, type PromiseRow } from './promise.contract.ts'

const IS = { standing: 'waits', kept: 'done', broken: 'failed', withdrawn: 'cancelled' } as const
/** Where a promise stands. */
export function PromiseState({ of }: { of: Pick<PromiseRow, 'state'> }) {
  const say = useLabel()
  return <Status is={IS[of.state]} label={say(PROMISE_STATES.find(({ value }) => value === of.state)!.label)} />
}
