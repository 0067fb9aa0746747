import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { DraftOffer, useDraft } from '#kit/web/form/draft.tsx'
import { useLeast } from '#kit/web/form/least.ts'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { forgetUnsaved, to, useNavigate } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import css from '../transfers.module.css'
import { outCalls, outFields } from './out.contract.ts'

/** Asks to leave for another university. */
export default function AskOut() {
  const t = useT('transfers')
  const say = useLabel()
  const navigate = useNavigate()
  const own = useMe().user.student_id
  const [chosen, setChosen] = useState<number | null>(null)
  const student = own ?? chosen
  const [destination, setDestination] = useState('')
  const ofDestination = useLeast(destination, 2)
  const [why, setWhy] = useState('')
  const ofWhy = useLeast(why, 3)
  const [round, setRound] = useState(0)
  const typed = destination.trim() !== '' || why.trim() !== ''
  const draft = useDraft('transfer_out', typed ? { chosen, destination, why } : null, (kept) => {
    setChosen(kept.chosen ?? null)
    setDestination(kept.destination ?? '')
    setWhy(kept.why ?? '')
    setRound(round + 1)
  })
  const { busy, problem, go, send } = useChange('/transfer', '/users/work')
  const ask = async () => {
    const sent = await go(() =>
      send(outCalls.requestOut, {
        body: { student_id: student!, destination: destination.trim(), why: why.trim() },
      }),
    )
    if (!sent) return
    notify.done(t('asked'))
    draft.sent()
    forgetUnsaved()
    void navigate(to('/students/transfer_out'))
  }
  return (
    <Page title={t('ask_out')} subtitle={t('ask_out_text')} wide={false}>
      <Card>
        <div className={css.form}>
          <DraftOffer of={draft} />
          {own === null && (
            <LookupInput
              key={round}
              resource="student"
              label={t('student')}
              defaultValue={chosen}
              onChange={setChosen}
            />
          )}
          <TextInput
            label={say(outFields.destination.label)}
            {...ofDestination}
            required
            dir="auto"
            maxLength={200}
            value={destination}
            onChange={(event) => setDestination(event.currentTarget.value)}
          />
          <Textarea
            label={t('why')}
            {...ofWhy}
            required
            dir="auto"
            autosize
            minRows={4}
            maxLength={2000}
            value={why}
            onChange={(event) => setWhy(event.currentTarget.value)}
          />
          {problem !== null && <Problems error={problem} />}
          <div className={css.bar}>
            <Submit
              loading={busy}
              missing={[
                student === null && t('student'),
                destination.trim().length < 2 && say(outFields.destination.label),
                why.trim().length < 3 && t('why'),
              ]}
              onClick={() => void ask()}
            >
              {t('ask_out')}
            </Submit>
          </div>
        </div>
      </Card>
    </Page>
  )
}
