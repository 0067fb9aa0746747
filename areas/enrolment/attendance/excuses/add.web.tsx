import { Button, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { resourceCalls } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Failed, Problems, notify } from '#kit/web/feedback/index.ts'
import { INPUTS } from '#kit/web/fields/inputs.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { forgetUnsaved, to, useNavigate, useUnsaved } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import css from '../attendance.module.css'
import { excuse, excuseCalls, EXCUSE_KINDS } from './excuse.contract.ts'
import type { ExcuseKind } from './excuse.rules.ts'

const calls = resourceCalls(excuse)
const DateField = INPUTS.date
const FileField = INPUTS.file

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
  const [days, setDays] = useState<{ from_date: string | null; to_date: string | null }>({
    from_date: null,
    to_date: null,
  })
  const [why, setWhy] = useState('')
  const [file, setFile] = useState<number | null>(null)
  const [outside, setOutside] = useState('')
  useUnsaved(why.trim() !== '' || outside.trim() !== '' || file !== null)
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
    forgetUnsaved()
    notify.done(t('excuse_asked'))
    void navigate(to('/excuses'))
  }
  const F = excuse.fields
  return (
    <Page title={say(excuse.adding)} subtitle={known?.term ? nameOf(known.term, lang) : '\u00A0'} wide={false}>
      <Card>
        <div className={css.form}>
          {own === null && (
            <LookupInput resource="student" label={t('student')} defaultValue={chosen} onChange={setChosen} />
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
              label={say(F.offering_id.label)}
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
          {dated && (
            <>
              <DateField
                name="from_date"
                field={F.from_date}
                label={say(F.from_date.label)}
                defaultValue={null}
                onChange={(value) => setDays((kept) => ({ ...kept, from_date: value as string | null }))}
              />
              <DateField
                name="to_date"
                field={F.to_date}
                label={say(F.to_date.label)}
                defaultValue={null}
                onChange={(value) => setDays((kept) => ({ ...kept, to_date: value as string | null }))}
              />
            </>
          )}
          <Textarea
            label={say(F.why.label)}
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
            label={say(F.file_id.label)}
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
            <Button
              loading={busy}
              disabled={
                student === null ||
                why.trim().length < 3 ||
                (coursed && !course) ||
                (dated && (!days.from_date || !days.to_date))
              }
              onClick={() => void ask()}
            >
              {say(excuse.adding)}
            </Button>
          </div>
        </div>
      </Card>
    </Page>
  )
}
