import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Problems } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import css from '../specifications.module.css'
import { MatrixGrid } from './grid.web.tsx'
import { matrixCalls, type MatrixCell, type SpecificationSheet } from './matrix.contract.ts'

type Outcome = SpecificationSheet['outcomes'][number]
type Parts = 'topics' | 'methods' | 'assessments'
const PARTS: readonly Parts[] = ['topics', 'methods', 'assessments']

/** What is filled now: what the server says, and over it what was pressed since. */
function useCells(sheet: SpecificationSheet) {
  const { send, go, problem } = useChange('/specifications')
  const [pressed, setPressed] = useState<ReadonlyMap<string, boolean>>(new Map())
  const join = async (key: string, cell: MatrixCell) => {
    setPressed((now) => new Map(now).set(key, cell.on))
    const done = await go(() => send(matrixCalls.join, { params: { id: sheet.id }, body: { cells: [cell] } }))
    // Refused: it is as it was.
    if (!done) setPressed((now) => new Map([...now].filter(([one]) => one !== key)))
  }
  return {
    problem,
    join: (key: string, cell: MatrixCell) => void join(key, cell),
    on: (key: string, stored: boolean) => pressed.get(key) ?? stored,
  }
}

/** Outcomes against what teaches and assesses them, and against the outcomes of programs. */
export function SpecificationMatrices({ row }: { readonly row: { readonly id: number } }) {
  const { data, error, refetch } = useCall(matrixCalls.sheet, { params: { id: row.id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={320} />
  return data.data.of === 'course' ? <CourseMatrices sheet={data.data} /> : <ProgramMatrix sheet={data.data} />
}

const outcomeLines = (outcomes: readonly Outcome[], ar: boolean) =>
  outcomes.map((one) => ({
    key: String(one.id),
    label: <Code>{one.code}</Code>,
    said: `${one.code} ${ar ? one.text_local : one.text}`,
  }))

function CourseMatrices({ sheet }: { readonly sheet: SpecificationSheet }) {
  const t = useT('specifications')
  const ar = useLanguage() === 'ar'
  const { problem, join, on } = useCells(sheet)
  const outcomes = new Map(sheet.outcomes.map((one) => [String(one.id), one]))
  if (!sheet.outcomes.length)
    return (
      <Card>
        <Empty title={t('no_outcomes')} text={t('no_outcomes_text')} />
      </Card>
    )
  const columns = outcomeLines(sheet.outcomes, ar)
  const wanted = sheet.program_outcomes.map((one) => ({
    key: `${one.program.id} ${one.code}`,
    label: (
      <>
        <Code>{one.code}</Code> <bdi>{ar ? one.text_local : one.text}</bdi>
        <span className={css.group}>{nameOf(one.program)}</span>
      </>
    ),
    said: `${nameOf(one.program)} ${one.code}`,
    program_id: one.program.id,
    code: one.code,
  }))
  const byKey = new Map(wanted.map((one) => [one.key, one]))
  return (
    <Stack>
      {problem !== null && <Problems error={problem} />}
      {wanted.length > 0 && (
        <Card title={t('serves')} text={t('serves_text')}>
          <MatrixGrid
            label={t('serves')}
            corner={t('program_outcome')}
            rows={wanted}
            columns={columns}
            on={(line, outcome) =>
              on(
                `program ${line} ${outcome}`,
                outcomes.get(outcome)?.serves.some(({ program_id, code }) => `${program_id} ${code}` === line) ?? false,
              )
            }
            onToggle={
              sheet.changes
                ? (line, outcome, now) => {
                    const { program_id, code } = byKey.get(line) ?? {}
                    if (program_id === undefined || code === undefined) return
                    join(`program ${line} ${outcome}`, {
                      outcome_id: Number(outcome),
                      with: 'program_outcomes',
                      program_id,
                      code,
                      on: now,
                    })
                  }
                : undefined
            }
          />
        </Card>
      )}
      {PARTS.map((part) =>
        sheet[part].length ? (
          <Card key={part} title={t(`matrix_${part}`)}>
            <MatrixGrid
              label={t(`matrix_${part}`)}
              corner={t(part)}
              rows={sheet[part].map((one) => ({
                key: String(one.id),
                label: <bdi>{ar ? one.text_local : one.text}</bdi>,
                said: ar ? one.text_local : one.text,
              }))}
              columns={columns}
              on={(line, outcome) =>
                on(`${part} ${line} ${outcome}`, outcomes.get(outcome)?.[part].includes(Number(line)) ?? false)
              }
              onToggle={
                sheet.changes
                  ? (line, outcome, now) =>
                      join(`${part} ${line} ${outcome}`, {
                        outcome_id: Number(outcome),
                        with: part,
                        to_id: Number(line),
                        on: now,
                      })
                  : undefined
              }
            />
          </Card>
        ) : null,
      )}
      {sheet.changes && <p className={css.keys}>{t('matrix_keys')}</p>}
    </Stack>
  )
}

/** Which courses of the plan serve which outcome: filled in the specifications of the courses. */
function ProgramMatrix({ sheet }: { readonly sheet: SpecificationSheet }) {
  const t = useT('specifications')
  const ar = useLanguage() === 'ar'
  const serves = new Map(sheet.courses.map((one) => [String(one.id), new Set(one.serves)]))
  const codes = new Map(sheet.outcomes.map((one) => [String(one.id), one.code]))
  return (
    <Card title={t('courses_serve')} text={t('courses_serve_text')}>
      {sheet.courses.length && sheet.outcomes.length ? (
        <MatrixGrid
          label={t('courses_serve')}
          corner={t('course')}
          rows={sheet.courses.map((one) => ({
            key: String(one.id),
            label: (
              <>
                <Code>{one.code}</Code> <bdi>{nameOf(one)}</bdi>
              </>
            ),
            said: nameOf(one),
          }))}
          columns={outcomeLines(sheet.outcomes, ar)}
          on={(course, outcome) => serves.get(course)?.has(codes.get(outcome) ?? '') ?? false}
        />
      ) : (
        <Empty title={t('no_courses')} />
      )}
    </Card>
  )
}
