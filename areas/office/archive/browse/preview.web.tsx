import { useEffect, useState } from 'react'
import { ActionIcon, Button } from '@mantine/core'
import { IconDownload, IconX } from '@tabler/icons-react'
import type { Change } from '#kit/web/api/index.ts'
import { download, fetchFile, useCall } from '#kit/web/api/index.ts'
import { Bdi, Code, Failed, Problems, act } from '#kit/web/feedback/index.ts'
import { sanitise } from '#kit/web/fields/rich.ts'
import { formatBytes, formatInstant, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { contentCalls } from '../content/content.contract.ts'
import { treeCalls } from '../tree/tree.contract.ts'
import { uploadCalls } from '../upload/upload.contract.ts'
import css from './archive.module.css'
import type { WholeEntry } from './kinds.web.tsx'

/** Bytes up to which a file is fetched to be looked at beside the list. */
const SHOWN_BYTES = 20_000_000
const SHOWN = new Set(['pdf', 'png', 'jpg'])

/**
 * A picture or a paper, fetched by the call that checks who asks, and shown from memory: there is no address to guess. Drawn
 * anew for each version.
 */
function FilePreview({ id, ext, name }: Pick<WholeEntry, 'id' | 'ext' | 'name'>) {
  const t = useT('archive')
  const [url, setUrl] = useState<string | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  useEffect(() => {
    let shown: string | undefined
    let over = false
    const show = async () => {
      try {
        const { content } = await fetchFile(contentCalls.downloadArchive, { params: { id }, query: {} })
        if (!over) setUrl((shown = URL.createObjectURL(content)))
      } catch (error) {
        if (!over) setProblem(error)
      }
    }
    void show()
    return () => {
      over = true
      if (shown) URL.revokeObjectURL(shown)
    }
  }, [id])
  if (problem !== null) return <Problems error={problem} />
  if (!url) return <div className={css.frame} aria-busy="true" />
  return ext === 'pdf' ? (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- no browser shows a PDF in a sandbox; what stands here is typed as one
    <iframe className={css.frame} src={url} title={t('preview_of', { name })} />
  ) : (
    <img className={css.picture} src={url} alt={name} />
  )
}

/** What stands on a page, in the reader's language first. */
function PagePreview({ entry }: { entry: WholeEntry }) {
  const t = useT('archive')
  const l = useLanguage()
  const first = entry.pages.find(({ language }) => language === (l === 'ar' ? 'ar' : 'en')) ?? entry.pages[0]
  return first?.body ? (
    // Only allowed elements are left.
    <div
      className={css.text}
      dir={first.language === 'ar' ? 'rtl' : 'ltr'}
      lang={first.language}
      dangerouslySetInnerHTML={{ __html: sanitise(first.body) }}
    />
  ) : (
    <p className={css.dim}>{t('page_empty')}</p>
  )
}

/** What an entry is: its content as far as it can be shown, its versions, what may be done. */
export function EntryPreview({
  id,
  change,
  onClose,
  onAccess,
}: {
  id: number
  change: Change
  onClose: () => void
  onAccess: (entry: WholeEntry) => void
}) {
  const t = useT('archive')
  const { data, error, refetch } = useCall(treeCalls.getArchive, { params: { id } })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  const entry = data?.data
  if (!entry) return <Bone height={320} />
  const shows = SHOWN.has(entry.ext ?? '') && (entry.size ?? 0) <= SHOWN_BYTES
  const bringBack = (number: number) =>
    act({
      go: () => change.send(uploadCalls.newVersion, { params: { id }, body: { number } }),
      done: () => t('brought_back', { number }),
    })
  return (
    <Card
      title={<Bdi>{nameOf(entry)}</Bdi>}
      aside={
        <ActionIcon variant="subtle" aria-label={t('close')} onClick={onClose}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      }
    >
      <dl className={css.facts}>
        {entry.size !== null && (
          <>
            <dt>{t('size')}</dt>
            <dd>{formatBytes(entry.size)}</dd>
          </>
        )}
        <dt>{t('changed')}</dt>
        <dd>
          {formatInstant(entry.updated_at)} {entry.updated_by && <Bdi>{entry.updated_by}</Bdi>}
        </dd>
        {entry.kind === 'folder' && (
          <>
            <dt>{t('access_who')}</dt>
            <dd>
              {entry.inherits
                ? t('access_inherits')
                : entry.access
                  ? entry.access.map((line) => nameOf(line)).join(t('and_so_on')) || t('access_nobody')
                  : t('limited')}
            </dd>
          </>
        )}
        {entry.goes_at && (
          <>
            <dt>{t('goes')}</dt>
            <dd>{formatInstant(entry.goes_at)}</dd>
          </>
        )}
        {entry.short_name && (
          <>
            <dt>{t('short_name')}</dt>
            <dd>
              <Code>{entry.short_name}</Code>
            </dd>
          </>
        )}
      </dl>
      {entry.kind === 'file' &&
        (shows ? (
          <FilePreview key={`${id}/${entry.version}`} id={id} ext={entry.ext} name={entry.name} />
        ) : (
          <p className={css.dim}>{t('no_preview')}</p>
        ))}
      {entry.kind === 'page' && <PagePreview entry={entry} />}
      <div className={css.bar}>
        {entry.kind === 'file' && (
          <Button
            size="xs"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() =>
              void act({
                go: () => download(contentCalls.downloadArchive, { params: { id }, query: {} }),
                done: () => null,
              })
            }
          >
            {t('download')}
          </Button>
        )}
        {entry.zip && (
          <Button
            size="xs"
            component="a"
            href={entry.zip}
            download
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('download_zip')}
          </Button>
        )}
        {entry.kind === 'page' && (
          <Button size="xs" component={Link} to={`/editor/${id}`}>
            {t(entry.abilities.includes('edit') ? 'page_edit' : 'open')}
          </Button>
        )}
        {entry.abilities.includes('limit') && (
          <Button size="xs" variant="default" onClick={() => onAccess(entry)}>
            {t('access')}
          </Button>
        )}
      </div>
      {entry.versions.length > 1 && (
        <>
          <h3>{t('versions')}</h3>
          <ul className={css.lines}>
            {entry.versions.map(({ number, size, created_at, created_by }, i) => (
              <li key={number}>
                <span className={css.grow}>
                  {t('version', { number })} · {formatInstant(created_at)} · {formatBytes(size)}{' '}
                  {created_by && <Bdi>{created_by}</Bdi>}
                </span>
                <ActionIcon
                  variant="subtle"
                  aria-label={t('download_version', { number })}
                  onClick={() =>
                    void act({
                      go: () => download(contentCalls.downloadArchive, { params: { id }, query: { version: number } }),
                      done: () => null,
                    })
                  }
                >
                  <IconDownload size={16} aria-hidden />
                </ActionIcon>
                {i > 0 && entry.abilities.includes('edit') && (
                  <Button size="compact-xs" variant="default" onClick={() => void bringBack(number)}>
                    {t('bring_back')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}
