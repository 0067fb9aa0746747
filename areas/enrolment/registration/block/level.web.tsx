import { Group, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Problems, Status } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { formatNumber, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { ENROLMENTS } from '#areas/common/academics/grading-words.contract.ts'
import { TermPicker } from '#areas/study/terms/terms/term-picker.web.tsx'
import { BLOCK_REASONS, blockCalls, type BlockReport } from './block.contract.ts'

/** Registration of a level as a block: what it would do student by student, then all at once. */
export default function LevelRegistration() {
  const t = useT('registration')
  const k = useT('kit-screens')
  const say = useLabel()
  const [term, setTerm] = useState(0)
  const [program, setProgram] = useState<number | null>(null)
  const [level, setLevel] = useState<number>(1)
  const [report, setReport] = useState<{ data: BlockReport; done: boolean } | null>(null)
  const [job, setJob] = useState<{ id: string; done: boolean } | null>(null)
  const { busy, problem, go, send } = useChange('/registrations')
  const chosen = term > 0 && program !== null
  const clear = () => setReport(null)

  const run = async (done: boolean) => {
    if (!chosen) return
    clear()
    const body = { term_id: term, program_id: program, level }
    const answer = await go(() => send(done ? blockCalls.level : blockCalls.preview, { body }))
    if (!answer) return
    const { data, job_id } = answer.answer
    if (data) setReport({ data, done })
    else if (job_id) setJob({ id: job_id, done })
  }
  return (
    <Page title={t('block_level_title')} subtitle={t('block_level_text')}>
      <Stack>
        <Card>
          <Group align="end">
            <TermPicker
              value={term}
              label={say(['Term', 'الفصل الدراسي'])}
              size="sm"
              onChange={(id) => {
                setTerm(id)
                clear()
              }}
            />
            <div style={{ minInlineSize: '18rem' }}>
              <LookupInput
                resource="program"
                label={say(['Program', 'البرنامج'])}
                defaultValue={null}
                onChange={(id) => {
                  setProgram(id)
                  clear()
                }}
              />
            </div>
            <NumberInput
              label={say(['Level', 'المستوى'])}
              min={0}
              max={7}
              allowDecimal={false}
              value={level}
              onChange={(value) => {
                setLevel(Number(value) || 0)
                clear()
              }}
            />
            <Submit
              variant="default"
              missing={[term <= 0 && say(['Term', 'الفصل الدراسي']), program === null && say(['Program', 'البرنامج'])]}
              loading={busy}
              onClick={() => void run(false)}
            >
              {t('block_preview')}
            </Submit>
            <Submit
              missing={[
                term <= 0 && say(['Term', 'الفصل الدراسي']),
                program === null && say(['Program', 'البرنامج']),
                chosen && (!report || report.done) && k('preview_first'),
                report && !report.done && report.data.courses === 0 && k('nothing_to_do'),
              ]}
              loading={busy}
              onClick={() => void run(true)}
            >
              {t('block_register')}
            </Submit>
          </Group>
          {problem !== null && problem !== undefined && <Problems error={problem} />}
          {job && (
            <ProgressJob
              id={job.id}
              label={t('block_level_title')}
              onDone={(result) => {
                setReport({ data: result as BlockReport, done: job.done })
                setJob(null)
              }}
            />
          )}
        </Card>
        {report && <Report {...report} />}
      </Stack>
    </Page>
  )
}

function Report({ data, done }: { data: BlockReport; done: boolean }) {
  const t = useT('registration')
  const say = useLabel()
  const lang = useLanguage()
  const figure = (label: string, value: number) => (
    <span key={label}>
      {label} <b>{formatNumber(value)}</b>
    </span>
  )
  return (
    <Card
      plain
      title={t(done ? 'block_done' : 'block_would', { count: data.courses })}
      aside={
        <Group gap="md">
          {figure(t('block_whole'), data.whole)}
          {figure(t('block_part'), data.part)}
          {figure(t('block_none'), data.none)}
          {figure(t('block_nothing_left'), data.nothing)}
        </Group>
      }
    >
      <DataTable
        caption={t('block_level_title')}
        rows={data.students.map((one) => ({ ...one, id: one.student.id }))}
        empty={<Empty title={t('block_no_students')} />}
        columns={[
          { key: 'code', label: ['Code', 'الكود'], width: 110, cell: (row) => <Code>{row.student.code}</Code> },
          {
            key: 'name',
            label: ['Student', 'الطالب'],
            width: 240,
            cell: (row) => <bdi>{nameOf(row.student, lang)}</bdi>,
          },
          {
            key: 'enrolment',
            label: ['Enrolment', 'حالة القيد'],
            width: 150,
            cell: (row) => {
              const found = ENROLMENTS.find((one) => one.value === row.enrolment)
              return found ? <Status tone={found.tone} label={say(found.label)} /> : null
            },
          },
          {
            key: 'courses',
            label: ['Courses', 'المقررات'],
            width: 480,
            cell: (row) => (
              <span>
                {row.errors.map((error, i) => (
                  <div key={i}>{problemText(error)}</div>
                ))}
                {row.courses.map((one) => (
                  <div key={one.course.id}>
                    <Code>{one.course.code}</Code> <bdi>{nameOf(one.course, lang)}</bdi>{' '}
                    <small>{say(BLOCK_REASONS.find((why) => why.value === one.why)!.label)}</small>
                    {one.errors.map((problem, i) => (
                      <small key={i}>{problemText(problem)}</small>
                    ))}
                  </div>
                ))}
              </span>
            ),
          },
        ]}
      />
    </Card>
  )
}
