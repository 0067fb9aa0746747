import { TermPicker } from '#areas/study/terms/terms/term-picker.web.tsx'
import { RecordLink } from '#kit/web/detail/record-link.tsx'
import { Button, Modal, TextInput } from '@mantine/core'
import { IconFlag, IconPencil } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { f } from '#kit/contract/field.ts'
import { ApiError, refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { Refusals, ScreenTabs } from '#kit/web/detail/parts.tsx'
import { Code, Failed, Name, Status, notify } from '#kit/web/feedback/index.ts'
import { decimalText } from '#kit/web/fields/digits.ts'
import type { FieldInput } from '#kit/web/fields/inputs.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form } from '#kit/web/form/form.tsx'
import { formatInstant, formatNumber, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table, type TableColumn } from '#kit/web/table/table.tsx'
import { parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { readMark } from '../grading.rules.ts'
import { ControlBadge, StandingBadge } from '../parts.web.tsx'
import { ATTEMPTS, RESULT_STATES } from '#areas/common/academics/grading-words.contract.ts'
import { Figure, FinishDialog } from './finish.web.tsx'
import { termCalls, type TermGrade, type TermResultAnswer } from './terms.contract.ts'
import css from '../grading.module.css'

const plain = (text: string | null | undefined): string =>
  text == null ? '' : trimHundredths(parseHundredths(text) ?? 0)

/** A total; by marks with what it is out of. */
const Total = ({ row }: { row: Pick<TermGrade, 'total' | 'maximum'> }) => (
  <Code>
    {plain(row.total) || '–'}
    {row.total !== null && row.maximum !== null && ` / ${formatNumber(row.maximum)}`}
  </Code>
)
/** A letter; by marks the name of the rating. */
function GradeOf({ row }: { row: Pick<TermGrade, 'letter' | 'rating' | 'passed'> }) {
  const lang = useLanguage()
  if (row.letter === null) return <span className={css.dim}>–</span>
  const failed = row.passed === false ? css.refused : undefined
  return row.rating ? (
    <bdi className={failed}>{nameOf(row.rating, lang)}</bdi>
  ) : (
    <Code className={failed}>{row.letter}</Code>
  )
}

/** State and attempt of a registration, where they say something. */
function StateOf({ row }: { row: Pick<TermGrade, 'main' | 'attempt'> }) {
  const say = useLabel()
  const state = row.main === 'Registered' ? undefined : RESULT_STATES.find((one) => one.value === row.main)
  const attempt = row.attempt && row.attempt !== 'Fresh' ? ATTEMPTS.find((one) => one.value === row.attempt) : undefined
  return (
    <>
      {state && <Status tone={state.tone} label={say(state.label)} />}{' '}
      {attempt && <small className={css.dim}>{say(attempt.label)}</small>}
    </>
  )
}

/** What was typed for a mark, as it is sent: an absence by any of its words, a number in any digits. */
function markTyped(typed: unknown): string {
  const text = typeof typed === 'string' ? typed.trim() : ''
  return /^(a|abs|absent|غ|غائب|غياب)$/iu.test(text) ? 'A' : (decimalText(text) ?? text)
}
/** A mark is a figure, or the word of an absence. */
const MarkInput: FieldInput = ({ field, error, defaultValue, onChange, onBlur, autoFocus, id, name }) => (
  <TextInput
    {...{ error, onBlur, id, name }}
    // It is told in one language already; an empty one takes the mark away, which is not left open.
    label={field.label[0]}
    data-autofocus={autoFocus || undefined}
    defaultValue={typeof defaultValue === 'string' ? defaultValue : ''}
    inputMode="decimal"
    autoComplete="off"
    attributes={{ input: { dir: 'ltr' } }}
    onChange={(event) => onChange(event.currentTarget.value.trim() || null)}
  />
)
const markField = (id: number): string => `mark_${id}`

/** Changes marks of one registration; the reason stands in the audit trail. */
function MarksDialog({ grade, onClose }: { grade: TermGrade; onClose: () => void }) {
  const t = useT('grading')
  const k = useT('kit-screens')
  const lang = useLanguage()
  const client = useQueryClient()
  const { send } = useChange('/control', '/offerings', '/students')
  const wrongIn = ({ id, max }: TermGrade['scheme'][number], typed: unknown) => {
    const read = readMark(markTyped(typed), parseHundredths(max) ?? 0)
    if (!('problem' in read)) return []
    const text = read.problem.code === 'mark_maximum' ? t('mark_between', { max: plain(max) }) : t('mark_shape')
    return [{ name: markField(id), text }]
  }
  const changedOf = (values: Readonly<Record<string, unknown>>) =>
    grade.scheme.filter(({ id }) => markTyped(values[markField(id)]) !== (grade.marks[id]?.mark ?? ''))
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${t('edit_marks')} · ${nameOf(grade.course, lang)}`}
      size={520}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Form
        fields={{
          ...Object.fromEntries(
            grade.scheme.map((one) => [
              markField(one.id),
              // An emptied mark is taken away.
              f.text(asLabel(`${nameOf(one, lang)} / ${plain(one.max)}`), { max: 20 }),
            ]),
          ),
          reason: f.longText(asLabel(t('reason')), {
            required: true,
            min: 3,
            max: 500,
            help: asLabel(t('reason_kept')),
          }),
        }}
        values={Object.fromEntries(grade.scheme.map(({ id }) => [markField(id), grade.marks[id]?.mark ?? null]))}
        inputs={Object.fromEntries(grade.scheme.map(({ id }) => [markField(id), MarkInput]))}
        check={(values) => grade.scheme.flatMap((one) => wrongIn(one, values[markField(one.id)]))}
        missing={(values) => [!changedOf(values).length && k('nothing_changed')]}
        bar="dialog"
        always
        submit={t('save')}
        onCancel={onClose}
        onSave={async (values) => {
          const marks = changedOf(values).map(({ id }) => ({
            offering_mark_id: id,
            mark: markTyped(values[markField(id)]) || null,
            version: grade.marks[id]?.version ?? null,
          }))
          return send(termCalls.updateTermGrades, {
            params: { registration: grade.registration_id },
            body: { marks, reason: String(values.reason).trim() },
          }).catch((problem: unknown) => {
            // Somebody else was faster: what stands there now is shown behind.
            if (problem instanceof ApiError && problem.status === 409) void refresh(client, '/control')
            throw problem
          })
        }}
        onSaved={({ terms_changed }) => {
          notify.done(terms_changed ? t('marks_and_terms_changed', { count: terms_changed }) : t('marks_changed'))
          onClose()
        }}
      >
        <p className={css.text}>
          <Code>{grade.course.code}</Code>
        </p>
        <div className={css.fields}>
          {grade.scheme.map((one, i) => (
            <Field key={one.id} name={markField(one.id)} autoFocus={i === 0} />
          ))}
        </div>
        <Field name="reason" />
      </Form>
    </Modal>
  )
}

function Courses({ grades }: { grades: readonly TermGrade[] }) {
  const t = useT('grading')
  const lang = useLanguage()
  const [editing, setEditing] = useState<TermGrade | null>(null)
  return (
    <Card>
      <Table
        label={t('courses')}
        className={css.table}
        rows={grades}
        rowKey={(row) => row.registration_id}
        columns={[
          {
            key: 'course',
            label: t('course'),
            cell: (row) => (
              <>
                <RecordLink resource="offering" id={row.offering_id}>
                  <Name row={row.course} />
                </RecordLink>{' '}
                <small className={css.dim}>
                  <Code>{row.course.code}</Code>
                </small>{' '}
                <StateOf row={row} />
              </>
            ),
          },
          {
            key: 'hours',
            label: t('hours'),
            figure: true,
            cell: (row) => <Code>{formatNumber(row.credit_hours)}</Code>,
          },
          {
            key: 'marks',
            label: t('marks'),
            cell: (row) =>
              row.scheme.map((one) => (
                <span key={one.id} style={{ marginInlineEnd: 12, whiteSpace: 'nowrap' }}>
                  <small className={css.dim}>{nameOf(one, lang)}</small>{' '}
                  <Code>
                    {row.marks[one.id]
                      ? row.marks[one.id]!.mark === 'A'
                        ? t('absent_short')
                        : row.marks[one.id]!.mark
                      : '–'}
                  </Code>
                </span>
              )),
          },
          { key: 'total', label: t('total'), end: true, cell: (row) => <Total row={row} /> },
          { key: 'grade', label: t('grade'), cell: (row) => <GradeOf row={row} /> },
          { key: 'points', label: t('points'), figure: true, cell: (row) => <Figure value={row.points} places={2} /> },
          { key: 'status', label: t('status'), cell: (row) => <ControlBadge status={row.control_status} /> },
          {
            key: 'actions',
            label: t('actions'),
            unseen: true,
            end: true,
            cell: (row) =>
              row.abilities.includes('edit_marks') && (
                <Button
                  size="xs"
                  variant="subtle"
                  leftSection={<IconPencil size={14} aria-hidden />}
                  onClick={() => setEditing(row)}
                >
                  {t('edit_marks')}
                </Button>
              ),
          },
        ]}
      />
      {editing && <MarksDialog grade={editing} onClose={() => setEditing(null)} />}
    </Card>
  )
}

/** The row of a finished term: hours, points, GPAs, standing, and what keeps the student from graduating. */
function Result({ result }: { result: TermResultAnswer }) {
  const t = useT('grading')
  const items: [string, string | number | null, number?][] = [
    [t('field_registered_hours'), result.registered_hours],
    [t('field_attempted_hours'), result.attempted_hours],
    [t('field_passed_hours'), result.passed_hours],
    [t('field_term_points'), result.term_points, 2],
    [t('field_gpa'), result.gpa, 2],
    [t('field_cumulative_passed_hours'), result.cumulative_passed_hours],
    [t('field_cumulative_points'), result.cumulative_points, 2],
    [t('field_cumulative_gpa'), result.cumulative_gpa, 2],
    [t('field_level'), result.level],
    [t('field_warnings'), result.warnings],
  ]
  return (
    <Stack>
      <Card
        title={<StandingBadge standing={result.standing} />}
        aside={<small className={css.dim}>{t('finished_at', { at: formatInstant(result.finished_at) })}</small>}
      >
        <dl className={css.fields} style={{ margin: 0 }}>
          {items.map(([label, value, places]) => (
            <div key={label}>
              <dt className={css.dim}>{label}</dt>
              <dd style={{ margin: 0, fontWeight: 600 }}>
                <Figure value={value} places={places} />
              </dd>
            </div>
          ))}
        </dl>
      </Card>
      {result.graduation_outdated && (
        <Card>
          <Status is="outdated" label={t('graduation_outdated')} />
          <p className={css.text}>{t('graduation_outdated_text')}</p>
        </Card>
      )}
      {result.may_graduate ? (
        <Card>
          <Status is="met" label={t('may_graduate_text')} />
        </Card>
      ) : (
        <Refusals
          title={t('not_yet_graduate')}
          reasons={result.graduation.map((one) => ({ code: one.code, text: problemText(one) }))}
        />
      )}
    </Stack>
  )
}

function Taken({ id }: { id: number }) {
  const t = useT('grading')
  const { data, error, refetch } = useCall(termCalls.takenCourses, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone />
  return (
    <Card>
      <Table
        label={t('taken_courses')}
        className={css.table}
        rows={data.data}
        rowKey={(row) => row.registration_id}
        columns={[
          { key: 'term', label: t('term'), cell: (row) => <Name row={row.term} /> },
          {
            key: 'course',
            label: t('course'),
            cell: (row) => (
              <>
                <Code>{row.course.code}</Code> <Name row={row.course} />
              </>
            ),
          },
          {
            key: 'hours',
            label: t('hours'),
            figure: true,
            cell: (row) => <Code>{formatNumber(row.credit_hours)}</Code>,
          },
          { key: 'total', label: t('total'), end: true, cell: (row) => <Total row={row} /> },
          { key: 'grade', label: t('grade'), cell: (row) => <GradeOf row={row} /> },
          { key: 'points', label: t('points'), figure: true, cell: (row) => <Figure value={row.points} places={2} /> },
          { key: 'state', label: t('state'), cell: (row) => <StateOf row={row} /> },
        ]}
      />
    </Card>
  )
}

function Terms({ id }: { id: number }) {
  const t = useT('grading')
  const { data, error, refetch } = useCall(termCalls.passedSemesters, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone />
  if (!data.data.length) return <p className={css.text}>{t('no_finished_terms')}</p>
  type Name = 'attempted_hours' | 'passed_hours' | 'gpa' | 'cumulative_passed_hours' | 'cumulative_gpa'
  const figure = (name: Name, places?: number): TableColumn<(typeof data.data)[number]> => ({
    key: name,
    label: t(`field_${name}`),
    figure: true,
    cell: (row) => <Figure value={row[name]} {...(places !== undefined && { places })} />,
  })
  return (
    <Card>
      <Table
        label={t('finished_terms')}
        className={css.table}
        rows={data.data}
        rowKey={(row) => row.term.id}
        columns={[
          { key: 'term', label: t('term'), cell: (row) => <Name row={row.term} /> },
          figure('attempted_hours'),
          figure('passed_hours'),
          figure('gpa', 2),
          figure('cumulative_passed_hours'),
          figure('cumulative_gpa', 2),
          { key: 'standing', label: t('standing'), cell: (row) => <StandingBadge standing={row.standing} /> },
        ]}
      />
    </Card>
  )
}

/** A student in a term, as control sees it. */
export default function ControlStudentScreen() {
  const t = useT('grading')
  const navigate = useNavigate()
  const params = useParams()
  const [student_id, term_id] = [Number(params.student_id), Number(params.term_id)]
  const { data, error, refetch } = useCall(termCalls.student, { params: { student_id, term_id } })
  const [finishing, setFinishing] = useState(false)
  const { send } = useChange()
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const d = data?.data
  const revised = Boolean(d?.result?.revised_since)
  const result = revised ? null : d?.result
  return (
    <Page
      title={d?.student}
      subtitle={
        d && (
          <>
            <Code>{d.student.code}</Code> · <Name row={d.student.program} /> ·{' '}
            {t('level_number', { level: d.student.level })}
          </>
        )
      }
      facts={
        d && [
          { label: t('field_gpa'), value: <Figure value={result?.gpa} places={2} /> },
          {
            label: t('field_cumulative_gpa'),
            value: <Figure value={result?.cumulative_gpa ?? d.student.gpa} places={2} />,
          },
          {
            label: t('field_cumulative_passed_hours'),
            value: <Figure value={result?.cumulative_passed_hours ?? d.student.passed_hours} />,
          },
        ]
      }
      action={
        d?.abilities.includes('finish') && (
          <Button leftSection={<IconFlag size={16} aria-hidden />} onClick={() => setFinishing(true)}>
            {t(d.result ? 'finish_again' : 'finish')}
          </Button>
        )
      }
    >
      <div className={css.bar}>
        <TermPicker
          value={term_id}
          onChange={(id) => void navigate(to('/control/students/:student_id/:term_id', { student_id, term_id: id }))}
        />
      </div>
      {!d ? (
        <Bone />
      ) : (
        <ScreenTabs
          tabs={[
            {
              key: 'courses',
              label: t('courses'),
              content: d.registrations.length ? (
                <Courses grades={d.registrations} />
              ) : (
                <p className={css.text}>{t('no_courses')}</p>
              ),
            },
            {
              key: 'result',
              label: t('term_result'),
              content: result ? (
                <Result result={result} />
              ) : (
                <p className={css.text}>{t(revised ? 'revised_text' : 'not_finished_yet')}</p>
              ),
            },
            { key: 'taken', label: t('taken_courses'), content: <Taken id={student_id} /> },
            { key: 'terms', label: t('finished_terms'), content: <Terms id={student_id} /> },
          ]}
        />
      )}
      {finishing && (
        <FinishDialog
          title={t('finish_students', { count: 1 })}
          go={() => send(termCalls.finish, { body: { term_id, ids: [student_id] } })}
          onClose={() => setFinishing(false)}
        />
      )}
    </Page>
  )
}
