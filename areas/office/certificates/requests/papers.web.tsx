import { Button } from '@mantine/core'
import { IconDownload, IconEye, IconPrinter, IconQrcode } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { download, fetchFile, printFile, refresh } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { act, Code, Name, notify, Status } from '#kit/web/feedback/index.ts'
import { formatInstant, useT } from '#kit/web/i18n/index.ts'
import { Link } from '#kit/web/router/index.ts'
import { askReason } from '#kit/web/workflow/reason.tsx'
import { certificateCalls, type CertificateDetail } from './certificate.contract.ts'
import { nextPrint, PRINTED_IN } from './certificate.rules.ts'
import css from '../certificates.module.css'

type Paper = CertificateDetail['papers'][number]

/** What was issued: verified by anybody, opened by who asked once it is released, printed and counted at the desk. */
export function Papers({ of, staff }: { of: CertificateDetail; staff: boolean }) {
  const t = useT('certificates')
  const prints = useMe().can('edit_certificate') && PRINTED_IN.includes(of.status)
  const opens = staff || of.status === 'Delivered'
  return (
    <ul className={css.papers}>
      {of.papers.map((paper) => (
        <li key={paper.id}>
          <Code>{paper.serial}</Code>
          <span>{t(paper.lang === 'ar' ? 'arabic' : 'english')}</span>
          <Status is={paper.state} label={t(`paper_${paper.state}`)} />
          <span className={css.grow} />
          <Button
            component={Link}
            to={paper.address as never}
            variant="subtle"
            size="xs"
            leftSection={<IconQrcode size={15} aria-hidden />}
          >
            {t('verify')}
          </Button>
          {opens && <Open id={of.id} paper={paper} staff={staff} />}
          {prints && paper.state === 'valid' && <Print of={of} paper={paper} />}
          {staff && PRINTED_IN.includes(of.status) && <Printings of={of} paper={paper} />}
        </li>
      ))}
      {!opens && (
        <li>
          <small>{t('papers_on_paper')}</small>
        </li>
      )}
    </ul>
  )
}

/** The file as it was issued; staff see it with a line that it is for the office. */
function Open({ id, paper, staff }: { id: number; paper: Paper; staff: boolean }) {
  const t = useT('certificates')
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={staff ? <IconEye size={15} aria-hidden /> : <IconDownload size={15} aria-hidden />}
      onClick={() =>
        void download(certificateCalls.paper, { params: { id, paper: paper.id } }).catch((problem: unknown) =>
          notify.error(problem),
        )
      }
    >
      {t(staff ? 'look_at_paper' : 'open_paper')}
    </Button>
  )
}

/** Prints an original while there are any; after that a copy, for a reason. */
function Print({ of, paper }: { of: CertificateDetail; paper: Paper }) {
  const t = useT('certificates')
  const client = useQueryClient()
  const { number, original } = nextPrint({ printed: paper.prints.length, copies: of.copies })
  const params = { id: of.id, paper: paper.id }
  const fetched = async (body: { reason?: string }) => {
    printFile(await fetchFile(certificateCalls.print, { params, body }))
    await refresh(client, '/certificates')
  }
  const print = () =>
    original
      ? act({
          ask: {
            title: t('print_question', { number, count: of.copies }),
            consequence: t('print_question_text'),
            action: t('print'),
          },
          go: () => fetched({}),
          done: () => null,
        })
      : askReason({
          title: t('print_copy_question', { number }),
          text: t('print_copy_text', { count: of.copies }),
          action: t('print_copy'),
          go: (reason) => fetched({ reason }),
        })
  return (
    <Button
      variant={original ? 'filled' : 'default'}
      size="xs"
      leftSection={<IconPrinter size={15} aria-hidden />}
      onClick={() => void print()}
    >
      {t(original ? 'print' : 'print_copy')}
    </Button>
  )
}

/** Who printed it, when and why. */
function Printings({ of, paper }: { of: CertificateDetail; paper: Paper }) {
  const t = useT('certificates')
  const originals = paper.prints.filter((one) => one.original).length
  return (
    <div className={css.prints}>
      <small>
        {t('prints_counted', { count: originals, of: of.copies })}
        {paper.wording !== null && <> · {t('prepared_with', { number: paper.wording })}</>}
      </small>
      {paper.prints.length > 0 && (
        <ol aria-label={t('prints')}>
          {paper.prints.map((one) => (
            <li key={one.number}>
              <span>{t(one.original ? 'print_original' : 'print_copy_number', { number: one.number })}</span>
              <span>{formatInstant(one.printed_at)}</span>
              <Name row={one.printed_by} />
              {one.reason && <bdi>{one.reason}</bdi>}
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
