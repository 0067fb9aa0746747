import { Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { may, useMe } from '#kit/web/auth/index.ts'
import { Failed, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { DraftOffer, useDraft } from '#kit/web/form/draft.tsx'
import { useLeast } from '#kit/web/form/least.ts'
import { formatNumber, nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, forgetUnsaved, to, useNavigate, useSearchParams } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import css from '../transfers.module.css'
import { internalCalls } from './internal.contract.ts'

/** Asks to move to another program: a student for himself or herself, staff for a student. */
export default function AskInternal() {
  const t = useT('transfers')
  const k = useT('kit-screens')
  const lang = useLanguage()
  const me = useMe()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const own = me.user.student_id
  const [chosen, setChosen] = useState<number | null>(Number(query.get('student')) || null)
  const student = own ?? chosen
  const { data, error, refetch } = useCall(
    internalCalls.internalLookupOf,
    { params: { student_id: student ?? 0 } },
    { enabled: student !== null },
  )
  const [program, setProgram] = useState<string | null>(null)
  const [why, setWhy] = useState('')
  const ofWhy = useLeast(why, 3)
  const [round, setRound] = useState(0)
  const draft = useDraft('internal_transfer', why.trim() ? { chosen, program, why } : null, (kept) => {
    setChosen(kept.chosen ?? null)
    setProgram(kept.program ?? null)
    setWhy(kept.why ?? '')
    setRound(round + 1)
  })
  const { busy, problem, go, send } = useChange('/transfer', '/users/work')
  const found = data?.data
  const against = found?.against ?? []
  const programs = found?.programs ?? []
  const placesOf = ({ places, places_left }: (typeof programs)[number]): string =>
    places_left === null || places === null
      ? ''
      : places === 0
        ? t('places_none')
        : places_left === 0
          ? t('places_given', { count: places })
          : t('places_left', { count: places_left, places: formatNumber(places_left) })
  const ask = async () => {
    const sent = await go(() =>
      send(internalCalls.addInternal, {
        params: { student_id: student! },
        body: { program_id: Number(program), why: why.trim() },
      }),
    )
    if (!sent) return
    notify.done(t('asked'))
    draft.sent()
    forgetUnsaved()
    void navigate(
      to('/students/:student_id/transfer/:transfer_id', { student_id: student!, transfer_id: sent.answer.data.id }),
    )
  }
  return (
    <Page title={t('ask')} subtitle={t('ask_text')} wide={false}>
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
          {error && !found && <Failed error={error} retry={() => void refetch()} />}
          {against.length > 0 && (
            <ul className={css.groups} role="alert">
              {against.map((one) => (
                <li key={one.code}>{problemText(one)}</li>
              ))}
            </ul>
          )}
          <Select
            label={t('program')}
            required
            searchable
            disabled={!found}
            data={programs.map((one) => ({
              value: String(one.id),
              label: [nameOf(one, lang), nameOf(one.faculty, lang), placesOf(one)].filter(Boolean).join(' · '),
              disabled: one.places_left === 0,
            }))}
            value={program}
            onChange={setProgram}
          />
          {found && programs.length > 0 && programs.every((one) => one.places_left === 0) && (
            <div className={css.notice} role="status">
              <p>{t('no_places', { term: nameOf(found.term, lang) })}</p>
              {programs.some((one) => one.places !== 0) && <p>{t('no_places_when')}</p>}
              <p>
                {t('no_places_else')} <Link to={to('/transfer/out/add')}>{t('ask_out')}</Link>
                {may('ask_ticket') && (
                  <>
                    {' · '}
                    <Link to={to('/my-tickets/add')}>{t('write_to_staff')}</Link>
                  </>
                )}
              </p>
            </div>
          )}
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
                against.length > 0 && k('solve_first'),
                program === null && t('program'),
                why.trim().length < 3 && t('why'),
              ]}
              onClick={() => void ask()}
            >
              {t('ask')}
            </Submit>
          </div>
        </div>
      </Card>
    </Page>
  )
}
