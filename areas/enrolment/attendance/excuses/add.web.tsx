import { Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { resourceCalls } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty, Failed, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { INPUTS } from '#kit/web/fields/inputs.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { DraftOffer, useDraft } from '#kit/web/form/draft.tsx'
import { withText } from '#kit/web/form/changes.ts'
import { Optional } from '#kit/web/form/optional.tsx'
import { useLeast } from '#kit/web/form/least.ts'
import { nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import { forgetUnsaved, to, useNavigate, useUnsaved } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { attendanceArea } from '../attendance.contract.ts'
import css from '../attendance.module.css'
import { excuse, excuseCalls, EXCUSE_KINDS } from './excuse.contract.ts'
import { checkExcuseDays } from './excuse.rules.ts'
import type { ExcuseKind } from './excuse.rules.ts'

const calls = resourceCalls(excuse)
const DateField = INPUTS.date
const FileField = INPUTS.file

interface ExcusedDays {
  readonly from_date: string | null
  readonly to_date: string | null
}

/** Asks for an excuse: from what, on which days, why, and the paper that shows it. */
export default function AskExcuse() {
  const t = useT('attendance')
  const say = useLabel()
  const lang = useLanguage()
  const navigate = useNavigate()
  const me = useMe()
  const own = me.user.student_id
  const [chosen, setChosen] = useState<number | null>(null)
  const student = own ?? chosen
  const [kind, setKind] = useState<ExcuseKind>('absence')
  const [course, setCourse] = useState<string | null>(null)
  const [days, setDays] = useState<ExcusedDays>({
    from_date: null,
    to_date: null,
  })
  const [why, setWhy] = useState('')
  const ofWhy = useLeast(why, 3)
  const [file, setFile] = useState<number | null>(null)
  const [outside, setOutside] = useState('')
  // The paper is not kept with the draft.
  useUnsaved(file !== null)
  const [round, setRound] = useState(0)
  const typed = why.trim() !== '' || outside.trim() !== ''
  const draft = useDraft('excuse', typed ? { chosen, kind, course, days, why, outside } : null, (kept) => {
    setChosen(kept.chosen ?? null)
    setKind(kept.kind ?? 'absence')
    setCourse(kept.course ?? null)
    setDays(kept.days ?? { from_date: null, to_date: null })
    setWhy(kept.why ?? '')
    setOutside(kept.outside ?? '')
    // Inputs that keep what they show themselves begin anew.
    setRound(round + 1)
  })
  const { data, error } = useCall(excuseCalls.lookups, { params: { id: student ?? 0 } }, { enabled: student !== null })
  const { busy, problem, go, send } = useChange('/excuses', '/users/work', '/attendance')
  const known = data?.data
  const dated = kind === 'absence' || kind === 'exam'
  const coursed = kind === 'course' || kind === 'exam'
  const ask = async () => {
    const sent = await go(() =>
      send(calls.create, {
        body: {
          student_id: student!,
          kind,
          why: why.trim(),
          file_id: file,
          offering_id: kind === 'term' || !course ? null : Number(course),
          ...(dated && days),
          ...(outside.trim() && { outside_reason: outside.trim() }),
        },
      }),
    )
    if (!sent) return
    draft.sent()
    forgetUnsaved()
    notify.done(t('excuse_asked'))
    void navigate(to('/excuses'))
  }
  const F = excuse.fields
  const wrong = wrongDays(dated ? { kind, ...days } : null, known?.term)
  if (own !== null && known && !known.courses.length) return <NoCourse term={known.term} />
  return (
    <Page title={say(excuse.adding)} subtitle={known?.term ? nameOf(known.term, lang) : '\u00A0'} wide={false}>
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
          {error && !known && <Failed error={error} />}
          {known && !known.open && <p className={css.notice}>{t('excuse_closed')}</p>}
          <Select
            label={say(F.kind.label)}
            allowDeselect={false}
            data={EXCUSE_KINDS.map((excuseKind) => ({ value: excuseKind.value, label: say(excuseKind.label) }))}
            value={kind}
            onChange={(value) => setKind(value as ExcuseKind)}
          />
          <p className={css.dim}>{t(`excuse_${kind}_text`)}</p>
          {kind !== 'term' && (
            <Select
              label={coursed ? say(F.offering_id.label) : <Optional label={say(F.offering_id.label)} />}
              required={coursed}
              clearable={!coursed}
              placeholder={coursed ? undefined : t('every_course')}
              data={(known?.courses ?? []).map((one) => ({
                value: String(one.id),
                label: `${one.code} · ${nameOf(one, lang)}`,
              }))}
              value={course}
              onChange={setCourse}
            />
          )}
          {dated && <Days key={round} days={days} wrong={wrong} set={setDays} />}
          <Textarea
            label={say(F.why.label)}
            {...ofWhy}
            required
            dir="auto"
            autosize
            minRows={4}
            maxLength={2000}
            value={why}
            onChange={(event) => setWhy(event.currentTarget.value)}
          />
          <FileField
            name="file_id"
            field={F.file_id}
            label={<Optional label={say(F.file_id.label)} />}
            defaultValue={null}
            onChange={(value) => setFile(value as number | null)}
          />
          {known && !known.open && own === null && (
            <TextInput
              label={say(F.outside_reason.label)}
              dir="auto"
              maxLength={500}
              value={outside}
              onChange={(event) => setOutside(event.currentTarget.value)}
            />
          )}
          {problem !== null && <Problems error={problem} />}
          <div className={css.bar}>
            <Submit
              loading={busy}
              missing={[
                student === null && t('student'),
                coursed && !course && say(F.offering_id.label),
                dated && !days.from_date && say(F.from_date.label),
                dated && !days.to_date && say(F.to_date.label),
                ...wrong.values(),
                why.trim().length < 3 && say(F.why.label),
                known && !known.open && own === null && !outside.trim() && say(F.outside_reason.label),
              ]}
              onClick={() => void ask()}
            >
              {say(excuse.adding)}
            </Submit>
          </div>
        </div>
      </Card>
    </Page>
  )
}

/** What is wrong with the days, beside the field that is wrong: as the server judges them. */
const wrongDays = (
  days: Parameters<typeof checkExcuseDays>[0] | null,
  term: { readonly start_date: string; readonly end_date: string } | null | undefined,
): ReadonlyMap<string, string> =>
  new Map(
    days?.from_date && days.to_date && term
      ? checkExcuseDays(days, { start: term.start_date, end: term.end_date }).map((reason) => [
          reason.field ?? '',
          problemText(withText(reason, attendanceArea.errors)),
        ])
      : [],
  )

/** In place of the form, so that nothing is typed and photographed in vain. */
function NoCourse({ term }: { term: Named | null }) {
  const t = useT('attendance')
  const say = useLabel()
  const lang = useLanguage()
  return (
    <Page title={say(excuse.adding)} subtitle={term ? nameOf(term, lang) : '\u00A0'} wide={false}>
      <Empty
        title={problemText(withText({ code: 'excuse_no_course' }, attendanceArea.errors))}
        text={t('excuse_no_course_text')}
      />
    </Page>
  )
}

/** The first and the last day that are to be excused. */
function Days({
  days,
  wrong,
  set,
}: {
  days: ExcusedDays
  /** What is wrong with a day, by its name. */
  wrong: ReadonlyMap<string, string>
  set: (change: (kept: ExcusedDays) => ExcusedDays) => void
}) {
  const say = useLabel()
  return (['from_date', 'to_date'] as const).map((name) => (
    <DateField
      key={name}
      name={name}
      field={excuse.fields[name]}
      label={say(excuse.fields[name].label)}
      required
      error={wrong.get(name)}
      defaultValue={days[name]}
      onChange={(value) => set((kept) => ({ ...kept, [name]: value as string | null }))}
    />
  ))
}
