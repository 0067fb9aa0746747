import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '../feedback/dialogs.tsx'
import { notify } from '../feedback/notify.tsx'
import { useT } from '../i18n/catalogue.ts'
import { formatInstant } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import { Link } from '../router/index.ts'
import { lineStore } from './line.ts'
import { sendWaiting } from './sending.ts'
import { forgetWaiting, useWaiting, waitAgain } from './waiting.ts'
import type { Waiting } from './waiting.ts'
import css from './waiting.module.css'

/** Both values, and what can be done: nothing is overwritten without a word. */
function Problem({ one, act }: { one: Waiting; act: (work: () => void) => void }) {
  const t = useT('kit-waiting')
  const { problem } = one
  if (!problem) return null
  return (
    <li className={css.problem}>
      {problem.about && (
        <strong>
          <bdi>{problem.about}</bdi>
        </strong>
      )}
      <p>{problem.why}</p>
      {problem.yours !== undefined && (
        <dl className={css.values}>
          <div>
            <dt>{t('yours')}</dt>
            <dd>
              <bdi>{problem.yours}</bdi>
            </dd>
          </div>
          <div>
            <dt>{t('theirs')}</dt>
            <dd>
              <bdi>{problem.theirs}</bdi>
            </dd>
          </div>
        </dl>
      )}
      <div className={css.buttons}>
        {problem.again && (
          <Button variant="default" onClick={() => act(() => waitAgain(one, problem.again!))}>
            {t('take_mine')}
          </Button>
        )}
        <Button variant="default" onClick={() => act(() => forgetWaiting([one.id]))}>
          {problem.yours === undefined ? t('give_up') : t('keep_theirs')}
        </Button>
      </div>
    </li>
  )
}

/** What waits on this device, and what could not be saved. */
export default function WaitingDialog({ close }: { close: () => void }) {
  const t = useT('kit-waiting')
  const l = useLanguage()
  const client = useQueryClient()
  const line = lineStore.use()
  const waiting = useWaiting()
  const [busy, setBusy] = useState(false)
  const problems = waiting.filter((one) => one.problem)
  const rest = [
    ...Map.groupBy(
      waiting.filter((one) => !one.problem),
      (one) => one.screen,
    ),
  ]
  const send = async () => {
    setBusy(true)
    await sendWaiting(client).catch((error: unknown) => notify.error(error))
    setBusy(false)
  }
  const act = (work: () => void) => {
    work()
    void send()
  }
  return (
    <Dialog opened onClose={close} title={t('title')} size={520}>
      {problems.length > 0 && (
        <ul className={css.list}>
          {problems.map((one) => (
            <Problem key={one.id} one={one} act={act} />
          ))}
        </ul>
      )}
      {rest.length > 0 && (
        <>
          <p>{t(line ? 'text_line' : 'text')}</p>
          <ul className={css.list}>
            {rest.map(([screen, changes]) => (
              <li key={screen}>
                <Link to={screen} onClick={close}>
                  {t('entries', {
                    count: changes.length,
                    when: formatInstant(new Date(changes[0]!.at).toISOString(), l),
                  })}
                </Link>
              </li>
            ))}
          </ul>
          {line && (
            <div className={css.buttons}>
              <Button loading={busy} onClick={() => void send()}>
                {t('send')}
              </Button>
            </div>
          )}
        </>
      )}
      {waiting.length === 0 && <p>{t('none')}</p>}
    </Dialog>
  )
}
