import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Facts, ProgressJob } from '#kit/web/detail/parts.tsx'
import { act, Code, Empty, Failed, Problems, Status } from '#kit/web/feedback/index.ts'
import { formatInstant, formatList, formatNumber, formatPercent, nameOf, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { student } from '#areas/records/students/student/student.contract.ts'
import { riskCalls } from '../risks/risk.contract.ts'
import { FIGURE_NAMES, type FigureName } from '../rules/figures.rules.ts'
import { GROUP_KINDS, riskModelCalls, type ErrorGroup, type FittedModel, type GroupKind } from './model.contract.ts'
import css from '../early-warning.module.css'

/** Models that were fitted to the finished terms: how right they are, and with whom less; which is used. */
export default function EarlyWarningModels() {
  const t = useT('early-warning')
  const { data, error, refetch } = useCall(riskModelCalls.models)
  const { busy, problem, go, send } = useChange('/early-warning')
  const [job, setJob] = useState<{ readonly id: string; readonly label: string } | null>(null)
  const begin = async (call: typeof riskModelCalls.fit | typeof riskCalls.count, label: string) => {
    const begun = await go(() => send(call))
    if (begun) setJob({ id: begun.answer.job_id, label })
  }
  return (
    <Page
      title={t('models')}
      action={
        <Button disabled={busy} onClick={() => void begin(riskModelCalls.fit, t('fitting'))}>
          {t('fit')}
        </Button>
      }
    >
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={360} />
      ) : (
        <Stack>
          <Card text={t('models_text')}>
            <Stack>
              {problem !== null && <Problems error={problem} />}
              {job && (
                <ProgressJob
                  key={job.id}
                  id={job.id}
                  label={job.label}
                  onDone={() => {
                    setJob(null)
                    void refetch()
                  }}
                />
              )}
              <div className={css.head}>
                <Button variant="default" disabled={busy} onClick={() => void begin(riskCalls.count, t('counting'))}>
                  {t('count_now')}
                </Button>
              </div>
            </Stack>
          </Card>
          {data.data.length === 0 && <Empty title={t('no_models')} text={t('no_models_text')} />}
          {data.data.map((model) => (
            <Model key={model.id} model={model} />
          ))}
        </Stack>
      )}
    </Page>
  )
}

function Model({ model }: { readonly model: FittedModel }) {
  const t = useT('early-warning')
  const { send } = useChange('/early-warning')
  const use = (id: number | null) =>
    act({ go: () => send(riskModelCalls.use, { body: { id } }), done: () => t(id === null ? 'stopped' : 'in_use_now') })
  const share = (value: number) => <Code>{formatPercent(value)}</Code>
  const named = (name: string) => (FIGURE_NAMES.includes(name as FigureName) ? t(`figure_${name as FigureName}`) : name)
  return (
    <Card
      title={t('model_of', { at: formatInstant(model.fitted_at) })}
      aside={
        <span className={css.head}>
          {model.is_used && <Status is="current" label={t('in_use')} />}
          <Button variant="default" size="compact-sm" onClick={() => void use(model.is_used ? null : model.id)}>
            {t(model.is_used ? 'stop' : 'use')}
          </Button>
        </span>
      }
    >
      <Stack>
        <Facts
          short
          items={[
            { label: t('fitted_by'), value: model.fitted_by ? <bdi>{nameOf(model.fitted_by)}</bdi> : '–' },
            { label: t('terms'), value: formatList(model.terms.map((term) => nameOf(term))) },
            { label: t('rows'), value: <Code>{formatNumber(model.rows)}</Code> },
            { label: t('hard_terms'), value: share(model.hard / model.rows) },
            { label: t('recall'), value: share(model.recall) },
            { label: t('precision'), value: share(model.precision) },
            {
              label: t('macro_f1'),
              value: (
                <Code>
                  {model.macro_f1.toFixed(2)} ± {model.spread.toFixed(2)}
                </Code>
              ),
            },
            { label: t('calibration'), value: <Code>{formatPercent(model.calibration_error, 1)}</Code> },
          ]}
        />
        <div>
          <strong>{t('looks_at')}</strong>
          <ul className={css.kinds}>
            {model.columns.map((name) => (
              <li key={name}>{named(name)}</li>
            ))}
          </ul>
        </div>
        {GROUP_KINDS.map((kind) => (
          <Groups key={kind} kind={kind} rows={model.groups[kind]} />
        ))}
      </Stack>
    </Card>
  )
}

/** Of each kind of students: how many had a hard term, what the model says, and how often it errs. */
function Groups({ kind, rows }: { readonly kind: GroupKind; readonly rows: readonly ErrorGroup[] }) {
  const t = useT('early-warning')
  const say = useLabel()
  const share = (value: number | null) => (value === null ? '–' : formatPercent(value))
  const gender = (row: ErrorGroup) => student.fields.gender.choices?.find((one) => one.value === row.gender)
  return (
    <Table
      label={t(`by_${kind}`)}
      rows={rows}
      rowKey={(row, i) => row.of?.id ?? row.gender ?? -i}
      empty={t('small_group')}
      columns={[
        {
          key: 'of',
          label: t(`by_${kind}`),
          head: true,
          cell: (row) => {
            const one = gender(row)
            return row.of ? <bdi>{nameOf(row.of)}</bdi> : one ? say(one.label) : t('others')
          },
        },
        { key: 'rows', label: t('rows'), figure: true, cell: (row) => formatNumber(row.rows) },
        { key: 'hard', label: t('hard_terms'), figure: true, cell: (row) => share(row.hard) },
        { key: 'said', label: t('said'), figure: true, cell: (row) => share(row.said) },
        { key: 'missed', label: t('missed'), figure: true, cell: (row) => share(row.missed) },
        { key: 'wrongly', label: t('named_wrongly'), figure: true, cell: (row) => share(row.named_wrongly) },
      ]}
    />
  )
}
