import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Empty, Failed, Problems } from '#kit/web/feedback/index.ts'
import { OnlyFirst } from '#kit/web/feedback/only-first.tsx'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { formatInstant, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { MOST_RUNS, degreeAuditCalls, type AuditRun } from './audit.contract.ts'
import css from './audits.module.css'

/** Audits of programs and faculties: starts one, and leads to those that were made. */
export default function AuditRuns() {
  const t = useT('degree-audit')
  const say = useLabel()
  const lang = useLanguage()
  const navigate = useNavigate()
  const { data, error, refetch } = useCall(degreeAuditCalls.auditRuns, {})
  const { busy, problem, go, send } = useChange('/degree-audits')
  const [program, setProgram] = useState<number | null>(null)
  const [faculty, setFaculty] = useState<number | null>(null)
  const start = async () => {
    let started: number | null = null
    await go(async () => {
      const answer = await send(degreeAuditCalls.startAudit, {
        body: program === null ? { faculty_id: faculty } : { program_id: program },
      })
      started = answer.data.id
      return answer
    })
    if (started !== null) void navigate(to('/degree-audits/:id', { id: started }))
  }
  return (
    <Page title={say(['Who would graduate', 'من يستوفي شروط التخرج'])} wide>
      <Stack>
        <Card title={t('audit_start')} text={t('audit_text')}>
          <Stack>
            {problem !== null && <Problems error={problem} />}
            <div className={css.start}>
              <LookupInput
                resource="program"
                label={t('audit_of_program')}
                defaultValue={null}
                onChange={(value) => setProgram(value)}
              />
              <LookupInput
                resource="faculty"
                label={t('audit_of_faculty')}
                defaultValue={null}
                onChange={(value) => setFaculty(value)}
              />
              <Submit
                loading={busy}
                missing={[program === null && faculty === null && t('audit_of_program')]}
                onClick={() => void start()}
              >
                {t('audit_start')}
              </Submit>
            </div>
          </Stack>
        </Card>
        <Card plain title={t('audit_runs')}>
          {error && !data ? (
            <Failed error={error} retry={() => void refetch()} />
          ) : (
            <DataTable<AuditRun>
              caption={t('audit_runs')}
              rows={data?.data}
              expected={4}
              rowName={(row) => nameOf(row.program ?? row.faculty ?? { name: '' }, lang)}
              rowHref={(row) => to('/degree-audits/:id', { id: row.id })}
              empty={<Empty title={t('audit_runs_none')} text={t('audit_runs_none_text')} />}
              columns={[
                {
                  key: 'whom',
                  label: ['Program or faculty', 'البرنامج أو الكلية'],
                  width: 280,
                  cell: (row) => <bdi>{nameOf(row.program ?? row.faculty ?? { name: '' }, lang)}</bdi>,
                },
                {
                  key: 'started_at',
                  label: ['Started', 'البدء'],
                  width: 180,
                  cell: (row) => formatInstant(row.started_at, lang),
                },
                {
                  key: 'started_by',
                  label: ['By', 'بواسطة'],
                  width: 180,
                  cell: (row) => <bdi>{nameOf(row.started_by ?? { name: '' }, lang)}</bdi>,
                },
                {
                  key: 'students',
                  label: ['Students', 'الطلاب'],
                  width: 110,
                  cell: (row) => (
                    <>
                      {formatNumber(row.students)}
                      {row.finished_at === null && <small> {t('audit_not_done')}</small>}
                    </>
                  ),
                },
                { key: 'met', label: ['Complete', 'استوفوا'], width: 110, cell: (row) => formatNumber(row.met) },
                {
                  key: 'in_progress',
                  label: ['Once passed', 'بعد النجاح'],
                  width: 130,
                  cell: (row) => formatNumber(row.in_progress),
                },
              ]}
            />
          )}
          <OnlyFirst rows={data?.data.length ?? 0} most={MOST_RUNS} />
        </Card>
      </Stack>
    </Page>
  )
}
