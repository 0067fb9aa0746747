import { Button } from '@mantine/core'
import { IconFile } from '@tabler/icons-react'
import { f } from '#kit/contract/field.ts'
import { resourceCalls } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { FactsOf } from '#kit/web/detail/parts.tsx'
import { Failed, Name, notify, Status } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, formatInstant, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow } from '#kit/web/list/columns.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { StateBadge, StepHistory, useSteps } from '#kit/web/workflow/index.ts'
import { zod } from '#kit/web/zod/zod.ts'
import {
  EXTERNAL_RESULTS,
  elsewhereCalls,
  elsewhereFlow,
  externalPaper,
  elsewhereSteps,
  type ElsewhereDetail,
} from './external.contract.ts'
import { PaperFile } from './file.web.tsx'
import css from '../certificates.module.css'

const calls = resourceCalls(externalPaper)
const FACTS = ['person', 'kind', 'issuer_id', 'number', 'issued_on', 'note', 'created_at'] as const
/** Steps that stand with the answer, or follow a further file. */
const ELSEWHERE = new Set(['confirm', 'deny', 'give_up'])
type Shown = AnyRow & {
  id: number
  version: number
  status: string
  person: string
  person_local: string
  abilities: string[]
}

/** One paper from elsewhere: whose it is, its files, what is known of it, and what may be done. */
export default function ShowExternal() {
  const t = useT('certificates')
  const lang = useLanguage()
  const named = (one: Shown) => nameOf({ name: one.person, name_local: one.person_local }, lang)
  const me = useMe()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.get, { params: { id } })
  const row = data?.data as unknown as Shown | undefined
  const { data: more } = useCall(elsewhereCalls.externalDetail, { params: { id } }, { meta: { version: row?.version } })
  const steps = useSteps(elsewhereFlow as never, elsewhereSteps, {
    name: (one: Shown) => named(one),
    refreshes: ['/certificates'],
  })
  if (error && !row) return <Failed error={error} retry={() => void refetch()} />
  if (!row)
    return (
      <Page title={'\u00A0'}>
        <Bone height={420} />
      </Page>
    )
  const works = me.can('edit_externalPaper')
  return (
    <Page title={named(row)} wide={false}>
      <Stack>
        <Card title={t('external_paper')} aside={<StateBadge flow={elsewhereFlow} state={row.status} />}>
          <div className={css.request}>
            <FactsOf
              fields={externalPaper.fields}
              row={row}
              names={[...FACTS]}
              cells={{ person: () => <bdi>{named(row)}</bdi> }}
            />
            {more?.data.ask && <Asked of={more.data.ask} />}
            <div className={css.line}>
              {steps
                .actions(row as never)
                .filter(({ key }) => !ELSEWHERE.has(key))
                .map(({ key, label, disabled, onSelect }) => (
                  <Button
                    key={key}
                    variant={key === 'ask' ? 'filled' : 'default'}
                    disabled={disabled !== undefined}
                    title={disabled}
                    onClick={() => onSelect?.()}
                  >
                    {label}
                  </Button>
                ))}
            </div>
          </div>
        </Card>
        {more && <Files of={more.data} works={works} />}
        {more && <Checks of={more.data} />}
        {works && row.status !== 'confirmed' && row.status !== 'not genuine' && <Answer id={id} />}
        <Card title={t('history')}>
          <StepHistory flow={elsewhereFlow} calls={elsewhereSteps} id={id} />
        </Card>
      </Stack>
    </Page>
  )
}

function Asked({ of }: { of: NonNullable<ElsewhereDetail['ask']> }) {
  const t = useT('certificates')
  return (
    <p className={css.line}>
      {t('external_asked', { email: of.email, time: formatInstant(of.asked_at), date: formatDate(of.due_on) })}
      {of.reminded_on && <small>{t('reminded', { date: formatDate(of.reminded_on) })}</small>}
    </p>
  )
}

/** The files, the newest first: what is found stands on the first of them. */
function Files({ of, works }: { of: ElsewhereDetail; works: boolean }) {
  const t = useT('certificates')
  const { send } = useChange('/certificates')
  return (
    <Card title={t('external_files')}>
      <ul className={css.papers}>
        {of.files.map((one, i) => (
          <li key={one.id}>
            <a href={one.url} target="_blank" rel="noreferrer">
              <IconFile size={15} aria-hidden /> <bdi>{one.name}</bdi>
            </a>
            <small>
              {formatInstant(one.at)} {one.by && <Name row={one.by} />}
            </small>
            {i > 0 && <Status is="failed" label={t('external_replaced')} />}
          </li>
        ))}
      </ul>
      {works && (
        <Form
          fields={{ file: { ...f.file(asLabel(t('external_further')), { required: true }), schema: zod.unknown() } }}
          inputs={{ file: PaperFile }}
          bar="dialog"
          submit={t('external_further')}
          onSave={({ file }) => send(elsewhereCalls.further, { params: { id: of.id }, file: file as File })}
          onSaved={() => notify.done(t('external_further_done'))}
        />
      )}
    </Card>
  )
}

function Checks({ of }: { of: ElsewhereDetail }) {
  const t = useT('certificates')
  if (!of.checks.length) return null
  return (
    <Card title={t('external_checks')}>
      <ul className={css.papers}>
        {of.checks.map((one) => (
          <li key={one.id}>
            <Status
              is={one.result === 'genuine' ? 'done' : one.result === 'unknown' ? 'in_progress' : 'failed'}
              label={t(`external_${one.result}`)}
            />
            <span>{one.found ? t(`external_found_${one.found}`) : t(`external_how_${one.how}`)}</span>
            {one.remark && <bdi>{one.remark}</bdi>}
            {one.answered_by && <bdi>{one.answered_by}</bdi>}
            {one.by && <Name row={one.by} />}
            {one.file && (
              <a href={one.file.url} target="_blank" rel="noreferrer">
                <bdi>{one.file.name}</bdi>
              </a>
            )}
            <small>{formatInstant(one.at)}</small>
            {one.outdated && <Status is="failed" label={t('external_outdated')} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** An answer that came by letter. */
function Answer({ id }: { id: number }) {
  const t = useT('certificates')
  const { send } = useChange('/certificates')
  return (
    <Card title={t('external_enter')} text={t('external_enter_text')}>
      <Form
        fields={{
          result: f.choice(asLabel(t('external_result')), EXTERNAL_RESULTS, { required: true }),
          remark: f.longText(asLabel(t('external_remark')), { required: true, min: 3, max: 1000 }),
          answered_by: f.text(asLabel(t('external_answered_by')), { max: 200 }),
          file: { ...f.file(asLabel(t('external_letter'))), schema: zod.unknown() },
        }}
        inputs={{ file: PaperFile }}
        bar="dialog"
        submit={t('external_enter')}
        onSave={({ file, result, remark, answered_by }) =>
          send(elsewhereCalls.enterAnswer, {
            params: { id },
            body: {
              result: result as 'genuine',
              remark: String(remark),
              ...(answered_by ? { answered_by: String(answered_by) } : {}),
            },
            ...(file ? { file: file as File } : {}),
          })
        }
        onSaved={() => notify.done(t('external_entered'))}
      />
    </Card>
  )
}
