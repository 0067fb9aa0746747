import { Checkbox, Select } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Name, Problems } from '#kit/web/feedback/index.ts'
import { MOST_OF_PAGE, MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { UndoNotice } from '#kit/web/imports/undo.tsx'
import { formatMoney, formatNumber, formatPercent, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import shared from '../../money.module.css'
import css from '../fees.module.css'
import { grantCalls, grantFields as F, type ApplyPreview } from './grants.contract.ts'

/** How many would get it, keep it and lose it, and what that costs. */
function PreviewFigures({ preview }: { preview: ApplyPreview }) {
  const t = useT('fees')
  const lang = useLanguage()
  const figure = (label: string, value: string) => (
    <span>
      {label} <b>{value}</b>
    </span>
  )
  return (
    <div className={css.figures}>
      {figure(t('would_get'), formatNumber(preview.added))}
      {figure(t('would_keep'), formatNumber(preview.kept))}
      {figure(t('would_lose'), formatNumber(preview.lost))}
      {preview.proposed > 0 && figure(t('proposed'), formatNumber(preview.proposed))}
      {preview.costs.map((cost) => (
        <span key={cost.currency}>
          {t('would_cost', { term: preview.term ? nameOf(preview.term, lang) : '–' })}{' '}
          <b>{formatMoney(cost.amount, cost.currency)}</b>
        </span>
      ))}
      {preview.cap !== null && figure(t('grant_cap'), formatPercent(preview.cap / 10_000))}
      {preview.unknown > 0 && figure(t('cost_unknown'), formatNumber(preview.unknown))}
    </div>
  )
}

/** Who would get it or lose it. Who is only proposed is chosen here by whoever knows the family. */
function PreviewRows({
  preview,
  accepted,
  onAccept,
}: {
  preview: ApplyPreview
  accepted: readonly number[]
  onAccept: (ids: readonly number[]) => void
}) {
  const t = useT('fees')
  const lang = useLanguage()
  return (
    <>
      {preview.proposed > 0 && <p className={`${css.text} ${shared.dim}`}>{t('proposed_text')}</p>}
      <ul className={shared.list} style={{ maxBlockSize: 260, overflowY: 'auto' }}>
        {preview.rows.map((one) => (
          <li key={`${one.change} ${one.student.id}`} className={css.line}>
            <span className={css.of}>
              {one.change === 'proposed' && (
                <Checkbox
                  size="xs"
                  aria-label={t('grant_to', { student: nameOf(one.student, lang) })}
                  checked={accepted.includes(one.student.id)}
                  onChange={(event) =>
                    onAccept(
                      event.currentTarget.checked
                        ? [...accepted, one.student.id]
                        : accepted.filter((id) => id !== one.student.id),
                    )
                  }
                />
              )}
              <span>
                <Name row={one.student} />
              </span>
              <span>
                <Code>{one.student.code}</Code>
              </span>
              {one.value !== null && (
                <span>
                  <Code>{one.value}</Code>
                </span>
              )}
              {one.siblings.length > 0 && (
                <span className={shared.dim}>
                  {t('siblings_are', {
                    names: one.siblings.map((of) => nameOf(of, lang)).join(lang === 'ar' ? '، ' : ', '),
                  })}
                </span>
              )}
            </span>
            {one.change === 'lost' ? (
              <span className={shared.dim}>{t('loses')}</span>
            ) : one.amount !== null && one.currency ? (
              <Code>{formatMoney(one.amount, one.currency)}</Code>
            ) : (
              <span className={shared.dim}>–</span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** An automatic scholarship for a year: first what it would cost, then all at once. */
export function ApplyRule({ onClose }: { onClose: () => void }) {
  const t = useT('fees')
  const k = useT('kit-screens')
  const say = useLabel()
  const lang = useLanguage()
  const { busy, problem, go, send } = useChange('/scholarship', '/students')
  const { most, more } = useMost(200, MOST_OF_PAGE)
  const offered = useCall(
    grantCalls.automatic,
    { body: { perPage: most, filters: { is_active: true } } },
    { placeholderData: keepPreviousData },
  ).data
  const rules = offered?.data as readonly { id: number; name: string; name_local: string }[] | undefined
  const [rule, setRule] = useState<string | null>(null)
  const [year, setYear] = useState<number | null>(null)
  const [preview, setPreview] = useState<ApplyPreview | null>(null)
  const [accepted, setAccepted] = useState<readonly number[]>([])
  const [job, setJob] = useState<string | null>(null)
  const [told, setTold] = useState<{ text: string; operation: number | null } | null>(null)
  const look = async () => {
    const done = await go(() => send(grantCalls.preview, { params: { id: Number(rule) }, body: { year_id: year! } }))
    setTold(null)
    setPreview(done?.answer.data ?? null)
    setAccepted([])
  }
  const apply = async () => {
    const done = await go(() =>
      send(grantCalls.apply, {
        params: { id: Number(rule) },
        body: { year_id: year!, ...(accepted.length > 0 && { accepted: [...accepted] }) },
      }),
    )
    if (done) setJob(done.answer.job_id)
  }
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('apply_rule')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        <p className={`${css.text} ${shared.dim}`}>{t('apply_text')}</p>
        <div className={css.pair}>
          <Select
            label={say(F.scholarship_id.label)}
            searchable
            data={(rules ?? []).map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))}
            value={rule}
            onChange={(value) => {
              setRule(value)
              setPreview(null)
            }}
          />
          <LookupInput
            resource="year"
            label={say(F.year_id.label)}
            defaultValue={null}
            onChange={(value) => {
              setYear(value)
              setPreview(null)
            }}
          />
        </div>
        {offered && <MoreRows shown={offered.data.length} total={offered.meta.count} onMore={more} />}
        {problem !== null && <Problems error={problem} />}
        {preview && (
          <>
            <PreviewFigures preview={preview} />
            <PreviewRows preview={preview} accepted={accepted} onAccept={setAccepted} />
          </>
        )}
        {job && (
          <ProgressJob
            id={job}
            label={t('apply_rule')}
            onDone={(result) => {
              const { added, lost, operation_id } = result as {
                added: number
                lost: number
                operation_id: number | null
              }
              setTold({ text: t('applied', { added, lost }), operation: operation_id })
              setJob(null)
              setPreview(null)
              void go(async () => null)
            }}
          />
        )}
        {told && <UndoNotice text={told.text} operation={told.operation} onUndone={() => setTold(null)} />}
        <div className={css.buttons}>
          <Submit
            variant="default"
            onCancel={onClose}
            missing={[rule === null && say(F.scholarship_id.label), year === null && say(F.year_id.label)]}
            loading={busy}
            onClick={() => void look()}
          >
            {t('preview')}
          </Submit>
          <Submit
            missing={[
              rule === null && say(F.scholarship_id.label),
              year === null && say(F.year_id.label),
              rule !== null && year !== null && !preview && k('preview_first'),
              preview && preview.added + preview.lost + accepted.length === 0 && k('nothing_to_do'),
              job !== null && k('under_way'),
            ]}
            loading={busy}
            onClick={() => void apply()}
          >
            {t('apply')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}
