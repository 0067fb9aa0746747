import { useState } from 'react'
import { fill } from '#kit/contract/words.ts'
import { useChange } from '#kit/web/api/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Code, Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatNumber, useT } from '#kit/web/i18n/index.ts'
import { FileDrop } from '#kit/web/form/file-drop.tsx'
import { Operations, UndoNotice } from '#kit/web/imports/undo.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { DifferenceView, Removals } from './difference.web.tsx'
import type { ShownDifference } from './difference.web.tsx'
import { correctionKey, Errors, FindingNotes } from './findings.web.tsx'
import type { Checked, Correction } from './findings.web.tsx'
import css from './import.module.css'
import { checkOneRoster, correctOneRoster, importCheckedOneRoster } from './oneroster.contract.ts'

/**
 * Steps on one screen: choose the ZIP, correct what is wrong with it, read what it would change, say whether what is gone
 * is removed, import.
 */
export default function ImportScreen() {
  const t = useT('oneroster')
  const k = useT('kit-screens')
  const [file, setFile] = useState<File | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const [checked, setChecked] = useState<Checked | null>(null)
  const { busy: checking, problem: error, go, send } = useChange()
  const [corrections, setCorrections] = useState<ReadonlyMap<string, Correction>>(new Map())
  const [removals, setRemovals] = useState<number | null>(null)
  const [job, setJob] = useState<string | null>(null)
  const [result, setResult] = useState<ShownDifference | null>(null)

  const show = (answer: Checked | null) => {
    setChecked(answer)
    setRemovals(null)
    setJob(null)
    setResult(null)
  }
  const work = async (step: () => Promise<void>) => {
    await go(step)
    setProgress(null)
  }
  const check = (chosen: File) => {
    show(null)
    setFile(chosen)
    setCorrections(new Map())
    setProgress(0)
    return work(async () => show((await send(checkOneRoster, { file: chosen, onProgress: setProgress })).data))
  }
  const again = () =>
    work(async () => {
      const body = { corrections: [...corrections.values()] }
      show((await send(correctOneRoster, { params: { id: checked!.import_id }, body })).data)
    })
  const start = () =>
    work(async () => {
      const { job_id } = await send(importCheckedOneRoster, {
        params: { id: checked!.import_id },
        body: { removals },
      })
      setJob(job_id)
    })
  const correct = (at: Checked['errors'][number], value: string | null) =>
    setCorrections((before) => {
      const next = new Map(before)
      if (value === null) next.delete(correctionKey(at))
      else next.set(correctionKey(at), { file: at.file, line: at.line!, column: at.column, value })
      return next
    })
  const asked = checked?.difference?.removals
  const mistyped = removals !== null && asked !== undefined && removals !== asked.count

  return (
    <Page title={t('title')} subtitle={t('subtitle')} wide={false}>
      <div className={css.steps}>
        <section className={css.step}>
          <h2>{t('choose')}</h2>
          <p>{t('choose_text')}</p>
          <FileDrop text={t('drop')} progress={progress} onFile={(chosen) => void check(chosen)} accept=".zip" />
          {file && <Code>{file.name}</Code>}
          {checking && !checked && <p role="status">{t('checking')}</p>}
          {error !== null && <Problems error={error} />}
        </section>
        {checked && checked.error_count > 0 && (
          <section className={css.step}>
            <h2>{t('has_errors', { count: checked.error_count })}</h2>
            <p>{t('has_errors_text')}</p>
            <Errors errors={checked.errors} corrections={corrections} onCorrect={correct} />
            <Submit
              loading={checking}
              missing={[!corrections.size && k('nothing_changed')]}
              onClick={() => void again()}
            >
              {t('check_again')}
            </Submit>
            <FindingNotes notes={checked.notes} count={checked.note_count} />
          </section>
        )}
        {checked?.difference && checked.error_count === 0 && (
          <section className={css.step}>
            <h2>{t('no_errors')}</h2>
            <DifferenceView difference={checked.difference} />
            <FindingNotes notes={checked.notes} count={checked.note_count} />
            {!job && (
              <>
                <Removals removals={checked.difference.removals} value={removals} onChange={setRemovals} />
                <Submit
                  loading={checking}
                  missing={[mistyped && t('removals_type', { number: formatNumber(asked.count) })]}
                  onClick={() => void start()}
                >
                  {t('start')}
                </Submit>
              </>
            )}
          </section>
        )}
        {job && (
          <section className={css.step}>
            <h2>{t('running')}</h2>
            <ProgressJob
              id={job}
              label={fill(t('from'), { source: checked?.source ?? '' })}
              onDone={(r) => setResult(r as ShownDifference)}
            />
            {result && (
              <>
                {result.operation_id !== null && <UndoNotice text={t('done')} operation={result.operation_id} />}
                <DifferenceView difference={result} />
              </>
            )}
          </section>
        )}
        <Operations kind="import/university" />
      </div>
    </Page>
  )
}
