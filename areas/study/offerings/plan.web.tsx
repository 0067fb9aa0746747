import { Button, NumberInput, Switch } from '@mantine/core'
import { useState } from 'react'
import { TermPicker } from '#areas/study/terms/terms/term-picker.web.tsx'
import type { ResponseOf } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Problems, notify } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { problemText, useT } from '#kit/web/i18n/index.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { offeringCalls } from './offering.contract.ts'
import { PlanTable } from './plan-table.web.tsx'
import css from './offerings.module.css'

/** Offers the courses of a study plan together: who needs what, what is offered already, and how many groups that makes. */
export default function OfferPlan() {
  const t = useT('offerings')
  const { busy, problem, go, send } = useChange('/offerings')
  const [query, setQuery] = useSearchParams()
  const number = (name: string) => (/^\d{1,9}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : null)
  const [program, term] = [number('program'), number('term')]
  const set = (name: string, value: number | null) => {
    const next = new URLSearchParams(query)
    if (value === null) next.delete(name)
    else next.set(name, String(value))
    setQuery(next, { replace: true })
  }
  const { data, error, refetch } = useCall(
    offeringCalls.programCourses,
    { query: { program_id: String(program ?? 0), ...(term !== null && { term_id: String(term) }) } as never },
    { enabled: program !== null },
  )
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [expected, setExpected] = useState<Readonly<Record<number, number | string>>>({})
  const [quota, setQuota] = useState<number | string>(60)
  const [over, setOver] = useState<number | string>(3)
  const [open, setOpen] = useState(false)
  const [answer, setAnswer] = useState<ResponseOf<typeof offeringCalls.addMany> | null>(null)
  const rows = data?.data ?? []
  const seats = Math.max(1, Number(quota) || 1)
  const students = (id: number, need: number) => Math.max(0, Number(expected[id] ?? need) || 0)
  const add = async () => {
    const done = await go(() =>
      send(offeringCalls.addMany, {
        body: {
          ...(term !== null && { term_id: term }),
          ...(program !== null && { program_id: program }),
          quota: seats,
          over_quota: Math.max(0, Number(over) || 0),
          is_open: open,
          courses: rows
            .filter((r) => chosen.has(r.id))
            .map((r) => ({ course_id: r.id, students: students(r.id, r.need) })),
        },
      }),
    )
    if (!done) return
    setAnswer(done.answer)
    setChosen(new Set())
    if (!done.answer.failed.length) notify.done(t('plan_done', { count: done.answer.done.length }))
  }
  const levels = [...Map.groupBy(rows, (r) => `${r.level}/${r.semester}`)]
  return (
    <Page title={t('plan_title')} subtitle={t('plan_text')}>
      <Stack>
        <Card>
          <div className={css.adder}>
            <LookupInput
              label={t('program')}
              resource="program"
              defaultValue={program}
              onChange={(id) => set('program', id)}
            />
            <TermPicker label={t('term')} size="sm" current value={term} onChange={(id) => set('term', id)} />
            <NumberInput
              label={t('quota')}
              w={110}
              value={quota}
              onChange={setQuota}
              min={1}
              max={10_000}
              allowDecimal={false}
            />
            <NumberInput
              label={t('over_quota')}
              w={110}
              value={over}
              onChange={setOver}
              min={0}
              max={10_000}
              allowDecimal={false}
            />
            <Switch
              label={t('open_at_once')}
              checked={open}
              onChange={(event) => setOpen(event.currentTarget.checked)}
            />
          </div>
        </Card>
        {problem ? <Problems error={problem} /> : null}
        {answer && answer.failed.length > 0 && (
          <Card>
            <ul className={css.why} role="alert">
              {answer.failed.map((one) => (
                <li key={one.id}>
                  <Code>{one.name ?? one.id}</Code>: {one.errors.map((e) => problemText(e)).join(' · ')}
                </li>
              ))}
            </ul>
          </Card>
        )}
        {program === null ? (
          <Empty title={t('plan_choose')} />
        ) : error && !data ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !data ? (
          <Bone />
        ) : !rows.length ? (
          <Empty title={t('plan_empty')} />
        ) : (
          <>
            {levels.map(([key, list]) => (
              <Card key={key} title={t('level_semester', { level: list[0]!.level, semester: list[0]!.semester })}>
                <PlanTable
                  label={t('level_semester', { level: list[0]!.level, semester: list[0]!.semester })}
                  rows={list}
                  chosen={chosen}
                  onChosen={setChosen}
                  expected={expected}
                  onExpected={(id, value) => setExpected({ ...expected, [id]: value })}
                  groups={(r) => Math.max(1, Math.ceil(students(r.id, r.need) / seats))}
                />
              </Card>
            ))}
            {chosen.size > 0 && (
              <div className={`${css.saveBar} no-print`} data-save-bar role="region" aria-label={t('plan_title')}>
                <span aria-live="polite">{t('chosen_courses', { count: chosen.size })}</span>
                <Button loading={busy} onClick={() => void add()}>
                  {t('offer')}
                </Button>
              </div>
            )}
          </>
        )}
      </Stack>
    </Page>
  )
}
