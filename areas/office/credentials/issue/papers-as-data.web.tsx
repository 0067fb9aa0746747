import { Button } from '@mantine/core'
import { IconFileCode, IconFileCertificate } from '@tabler/icons-react'
import { studentPapers } from '#areas/records/students/transcript/transcript.contract.ts'
import { paperCalls } from '#kit/contract/papers.ts'
import type { PaperRow } from '#kit/contract/papers.ts'
import { download, useCall } from '#kit/web/api/index.ts'
import { Code } from '#kit/web/feedback/words.tsx'
import { Failed, notify } from '#kit/web/feedback/index.ts'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import css from '../credentials.module.css'
import { credentialCalls } from '../credentials.contract.ts'
import { CREDENTIAL_KINDS } from './credential.rules.ts'

/** Papers of a student that others verify by themselves: signed data beside the paper. */
export function PapersAsData({ id }: { id: number }) {
  const t = useT('credentials')
  const { data, error, refetch } = useCall(paperCalls(studentPapers).list, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const rows = (data?.data ?? []).filter(
    (row) => !row.revoked_at && row.abilities.includes('open') && Object.hasOwn(CREDENTIAL_KINDS, row.kind),
  )
  if (!rows.length) return null
  return (
    <Card title={t('as_data')} text={t('as_data_text')}>
      <ul className={css.rows}>
        {rows.map((row) => (
          <Paper key={row.id} row={row} student={id} />
        ))}
      </ul>
    </Card>
  )
}

function Paper({ row, student }: { row: PaperRow; student: number }) {
  const t = useT('credentials')
  const say = useLabel(...(row.area ? [row.area] : []))
  const take = (call: typeof credentialCalls.paperCredential | typeof credentialCalls.paperElmo) =>
    void download(call, { params: { id: student, paper: row.id } }).catch((problem: unknown) => notify.error(problem))
  return (
    <li className={css.row}>
      <span className={css.what}>
        <bdi>{say([row.title.name, row.title.name_local])}</bdi> <Code>{row.serial}</Code>
        <small>{t(`shows_${row.disclosure}`)}</small>
      </span>
      <span className={css.buttons}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconFileCertificate size={14} aria-hidden />}
          aria-label={t('credential_of', { serial: row.serial })}
          onClick={() => take(credentialCalls.paperCredential)}
        >
          {t('credential')}
        </Button>
        {row.kind === 'transcript' && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFileCode size={14} aria-hidden />}
            aria-label={t('elmo_of', { serial: row.serial })}
            onClick={() => take(credentialCalls.paperElmo)}
          >
            ELMO
          </Button>
        )}
      </span>
    </li>
  )
}
