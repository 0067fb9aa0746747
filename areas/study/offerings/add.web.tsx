import { Button, NumberInput } from '@mantine/core'
import { IconWand } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { ResourceCalls } from '#kit/contract/index.ts'
import { course } from '#areas/study/catalogue/courses/course.contract.ts'
import { getCurrentTerms } from '#areas/study/terms/terms/term.contract.ts'
import { f } from '#kit/contract/index.ts'
import { ApiError, useCall, useChange } from '#kit/web/api/index.ts'
import { Empty, notify } from '#kit/web/feedback/index.ts'
import { callsOf } from '#kit/web/fields/calls-of.ts'
import { Field, Form, useFormValue } from '#kit/web/form/form.tsx'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Cards } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { FACT_FIELDS } from './edit.web.tsx'
import { offering, offeringCalls } from './offering.contract.ts'
import css from './offerings.module.css'
import { newKey, reasonsByRow, sentOf, type MeetingDraft } from './slots/drafts.web.ts'
import { SlotEditor } from './slots/editor.web.tsx'
import { meetingCountOf, planMeetings } from './slots/slots.rules.ts'

const courses = callsOf(course) as unknown as ResourceCalls<typeof course>
const F = offering.fields
const fields = {
  ...FACT_FIELDS,
  course_id: F.course_id,
  term_id: F.term_id,
  // The next free number where it is left empty.
  code: { ...F.code, required: false },
  team: f.lookups(['Instructors', 'فريق التدريس'], 'instructor', {
    through: { table: 'offering_instructors', from: 'offering_id', to: 'instructor_id' },
  }),
  open_to: f.lookups(['Programs', 'البرامج'], 'program', {
    through: { table: 'offering_programs', from: 'offering_id', to: 'program_id' },
    help: ['None: every program whose plan has the course.', 'بدون اختيار: كل البرامج التي تتضمنه خطتها.'],
  }),
} as const

/** Offers a course: what, where, who, and its groups with meetings and seats. */
export default function AddOffering() {
  const t = useT('offerings')
  const say = useLabel()
  const navigate = useNavigate()
  const { send } = useChange('/offerings')
  const [query] = useSearchParams()
  const [drafts, setDrafts] = useState<readonly MeetingDraft[]>([])
  const [groups, setGroups] = useState(1)
  const [error, setError] = useState<unknown>(null)
  const { data: terms, isPending } = useCall(getCurrentTerms, {}, { staleTime: 300_000 })
  const given = (name: string) => (/^\d{1,9}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : null)
  // The term is in the field before anybody saves: none is taken in silence.
  if (isPending)
    return (
      <Page title={say(offering.adding)}>
        <Bone height={420} />
      </Page>
    )
  return (
    <Page title={say(offering.adding)}>
      <Form
        fields={fields}
        values={{
          is_open: true,
          term_id: given('term') ?? terms?.data.current_term?.id ?? null,
          course_id: given('course'),
        }}
        always
        submit={say(offering.adding)}
        onCancel={() => void navigate('/offerings')}
        onSave={async (values) => {
          setError(null)
          const { team, open_to, ...facts } = values as { team?: number[]; open_to?: number[] } & Record<
            string,
            unknown
          >
          const body = {
            ...Object.fromEntries(
              Object.entries(facts).filter(([name, value]) => name in fields && value !== null && value !== ''),
            ),
            groups,
            slots: drafts.map(sentOf),
            instructors: (team ?? []).map((instructor_id, i) => ({
              instructor_id,
              role: i === 0 ? 'leader' : 'instructor',
            })),
            programs: (open_to ?? []).map((program_id) => ({ program_id })),
          }
          try {
            return (await send(offeringCalls.add, { body: body as never })).data as { id: number }
          } catch (problem) {
            // Reasons of meetings are shown at their lines.
            setError(problem)
            throw problem
          }
        }}
        onSaved={(saved) => {
          notify.done(t('added'))
          void navigate(to('/offering/:id', { id: saved.id }, { tab: 'meetings' }))
        }}
      >
        <Card label={say(offering.one)}>
          <Cards>
            <Field name="course_id" />
            <Field name="term_id" />
            <Field name="code" />
            <Field name="is_open" />
            <Field name="faculty_id" />
            <Field name="department_id" />
            <Field name="level" />
            <Field name="mark_id" />
            <Field name="min_students" />
            <Field name="max_students" />
            <Field name="team" />
            <Field name="open_to" />
          </Cards>
        </Card>
        <SlotPlan drafts={drafts} setDrafts={setDrafts} groups={groups} setGroups={setGroups} error={error} />
        <Card label={say(F.notes.label)}>
          <Field name="notes" />
        </Card>
      </Form>
    </Page>
  )
}

/** Groups and meetings of the course chosen above; filled from its hours as soon as it is chosen. */
function SlotPlan({
  drafts,
  setDrafts,
  groups,
  setGroups,
  error,
}: {
  drafts: readonly MeetingDraft[]
  setDrafts: (next: readonly MeetingDraft[]) => void
  groups: number
  setGroups: (n: number) => void
  error: unknown
}) {
  const t = useT('offerings')
  const id = useFormValue('course_id') as number | null
  const term_id = useFormValue('term_id') as number | null
  const { data } = useCall(courses.get, { params: { id: id ?? 0 } }, { enabled: Boolean(id) })
  const chosen = data?.data
  const [quota, setQuota] = useState<number | string>(60)
  const [over, setOver] = useState<number | string>(3)
  const [round, setRound] = useState(0)
  const filled = useRef<number | null>(null)
  const fill = (n = groups) => {
    if (!chosen) return
    const hours = {
      Lecture: chosen.lecture_hours,
      Tutorial: chosen.tutorial_hours,
      Lab: chosen.laboratory_hours,
      Clinic: chosen.clinical_hours,
    } as const
    const types = (Object.entries(hours) as [keyof typeof hours, number | null][]).flatMap(([type, h]) =>
      h ? [{ type, meetings: meetingCountOf(h, 90), sections: 1 }] : [],
    )
    const plan = planMeetings(
      Array.from({ length: n }, (_, i) => i + 1),
      types,
      { quota: Math.max(1, Number(quota) || 1), over_quota: Math.max(0, Number(over) || 0) },
    )
    setDrafts(plan.map(({ instructor_ids, ...m }) => ({ ...m, key: newKey(), instructor_ids, taken: 0 })))
    setRound((r) => r + 1)
  }
  useEffect(() => {
    if (!chosen || filled.current === chosen.id) return
    filled.current = chosen.id
    fill()
    // Once per course: what was typed meanwhile is not filled over.
    // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies
  }, [chosen])
  const { rest } = reasonsByRow(error)
  const none = error instanceof ApiError && error.errors.some((e) => e.field === 'slots' && e.code === 'too_few')
  return (
    <Card title={t('groups_and_meetings')}>
      <div className={css.toolbar}>
        <NumberInput
          label={t('groups_number')}
          size="xs"
          w={130}
          value={groups}
          min={1}
          max={500}
          allowDecimal={false}
          onChange={(value) => setGroups(Math.max(1, Number(value) || 1))}
        />
        <NumberInput
          label={t('quota')}
          size="xs"
          w={110}
          value={quota}
          onChange={setQuota}
          min={1}
          max={10_000}
          allowDecimal={false}
        />
        <NumberInput
          label={t('over_quota')}
          size="xs"
          w={110}
          value={over}
          onChange={setOver}
          min={0}
          max={10_000}
          allowDecimal={false}
        />
        <Button
          variant="default"
          size="xs"
          leftSection={<IconWand size={15} aria-hidden />}
          disabled={!chosen}
          onClick={() => fill()}
        >
          {t('fill_from_hours')}
        </Button>
      </div>
      {none && <p className={css.why}>{t('meetings_needed')}</p>}
      {rest.length > 0 && !none && (
        <ul className={css.why} role="alert">
          {rest.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {!drafts.length && <Empty title={t('no_meetings')} text={chosen ? t('no_hours') : t('choose_course_first')} />}
      <SlotEditor
        key={round}
        value={drafts}
        onChange={setDrafts}
        groups={Math.max(groups, ...drafts.map((d) => d.group), 1)}
        error={error}
        term_id={term_id ?? null}
      />
    </Card>
  )
}
