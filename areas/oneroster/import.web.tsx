import { useState } from 'react'
import { Button, Table } from '@mantine/core'
import { fill } from '#kit/contract/words.ts'
import type { ResponseOf } from '#kit/contract/index.ts'
import { send } from '#kit/web/api/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Code, Problems } from '#kit/web/feedback/index.ts'
import { formatNumber, problemText, useT } from '#kit/web/i18n/index.ts'
import { FileDrop } from '#kit/web/form/file-drop.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import css from './import.module.css'
import { checkOneRoster, importOneRoster } from './oneroster.contract.ts'

type Checked = ResponseOf<typeof checkOneRoster>['data']
interface Imported {
  readonly counts: Readonly<Record<string, { created: number; changed: number; same: number; gone: number }>>
}
const KINDS = ['orgs', 'years', 'terms', 'courses', 'classes', 'users', 'enrollments'] as const
const MADE = ['faculties', 'departments', 'years', 'terms', 'courses', 'offerings', 'users', 'enrollments'] as const

/** Three steps on one screen: choose the ZIP, read what it holds and what is wrong with it, import it. */
export default function ImportScreen() {
  const t = useT('oneroster')
  const [file, setFile] = useState<File | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const [checked, setChecked] = useState<Checked | null>(null)
  const [job, setJob] = useState<string | null>(null)
  const [result, setResult] = useState<Imported | null>(null)
  const [error, setError] = useState<unknown>(null)

  const begin = () => {
    setChecked(null)
    setJob(null)
    setResult(null)
    setError(null)
  }
  const check = async (chosen: File) => {
    begin()
    setFile(chosen)
    setProgress(0)
    try {
      setChecked((await send(checkOneRoster, { file: chosen, onProgress: setProgress })).data)
    } catch (problem) {
      setError(problem)
    } finally {
      setProgress(null)
    }
  }
  const start = async () => {
    setError(null)
    try {
      setJob((await send(importOneRoster, { file: file! })).job_id)
    } catch (problem) {
      setError(problem)
    }
  }
  return (
    <Page title={t('title')} subtitle={t('subtitle')} wide={false}>
      <div className={css.steps}>
        <section className={css.step}>
          <h2>{t('choose')}</h2>
          <p>{t('choose_text')}</p>
          <FileDrop text={t('drop')} progress={progress} onFile={(chosen) => void check(chosen)} accept=".zip" />
          {file && <Code>{file.name}</Code>}
          {error !== null && <Problems error={error} />}
        </section>
        {checked && (
          <section className={css.step}>
            <h2>{checked.errors.length ? t('has_errors', { count: checked.errors.length }) : t('no_errors')}</h2>
            {checked.errors.length > 0 ? (
              <>
                <p>{t('has_errors_text')}</p>
                <div className={css.scroll}>
                  <Table stickyHeader>
                    <Table.Thead>
                      <Table.Tr>
                        <Table.Th>{t('file')}</Table.Th>
                        <Table.Th>{t('line')}</Table.Th>
                        <Table.Th>{t('column')}</Table.Th>
                        <Table.Th>{t('reason')}</Table.Th>
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody>
                      {checked.errors.map((e, i) => (
                        <Table.Tr key={i}>
                          <Table.Td>
                            <Code>{e.file}</Code>
                          </Table.Td>
                          <Table.Td>{e.line === null ? '' : formatNumber(e.line)}</Table.Td>
                          <Table.Td>{e.column && <Code>{e.column}</Code>}</Table.Td>
                          <Table.Td>{problemText(e)}</Table.Td>
                        </Table.Tr>
                      ))}
                    </Table.Tbody>
                  </Table>
                </div>
              </>
            ) : (
              <>
                <dl className={css.counts}>
                  {KINDS.map((kind) => (
                    <div key={kind}>
                      <dt>{t(kind)}</dt>
                      <dd>{formatNumber(checked.counts[kind] ?? 0)}</dd>
                    </div>
                  ))}
                </dl>
                {!job && <Button onClick={() => void start()}>{t('start')}</Button>}
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
              onDone={(r) => setResult(r as Imported)}
            />
            {result && (
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th />
                    <Table.Th>{t('created')}</Table.Th>
                    <Table.Th>{t('changed')}</Table.Th>
                    <Table.Th>{t('same')}</Table.Th>
                    <Table.Th>{t('gone')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {MADE.map((kind) => {
                    const count = result.counts[kind]
                    return count ? (
                      <Table.Tr key={kind}>
                        <Table.Th scope="row">{t(kind)}</Table.Th>
                        <Table.Td>{formatNumber(count.created)}</Table.Td>
                        <Table.Td>{formatNumber(count.changed)}</Table.Td>
                        <Table.Td>{formatNumber(count.same)}</Table.Td>
                        <Table.Td>{formatNumber(count.gone)}</Table.Td>
                      </Table.Tr>
                    ) : null
                  })}
                </Table.Tbody>
              </Table>
            )}
          </section>
        )}
      </div>
    </Page>
  )
}
