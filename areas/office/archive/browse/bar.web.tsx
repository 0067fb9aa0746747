import { useRef } from 'react'
import { Button } from '@mantine/core'
import { IconClipboard, IconFolders } from '@tabler/icons-react'
import { download } from '#kit/web/api/index.ts'
import { act, useShortcut } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { SearchBox } from '#kit/web/list/search-box.tsx'
import { BIN_DAYS } from '../archive.rules.ts'
import { contentCalls } from '../content/content.contract.ts'
import { ROOT } from '../entry.contract.ts'
import css from './archive.module.css'
import type { Archive } from './use-archive.web.ts'

/** Above the entries: the search, and what is done with those that are chosen. */
export function ArchiveBar({
  archive,
  folders,
  onFolders,
}: {
  archive: Archive
  /** The folders are shown, where a screen has no room for them beside the entries. */
  folders: boolean
  onFolders: () => void
}) {
  const t = useT('archive')
  const box = useRef<HTMLInputElement>(null)
  useShortcut('/', () => box.current?.focus(), t('search'))
  const { at, bin, search, setAddress, rows, some, chosen, adds, clipboard, paste, actions, empty } = archive
  return (
    <div className={css.bar}>
      <SearchBox
        box={box}
        title={t('search')}
        value={search}
        onSearch={(text) =>
          setAddress({
            ...(at !== ROOT && { folder: String(at) }),
            ...(bin && { bin: '1' }),
            ...(text && { search: text }),
          })
        }
      />
      <Button
        size="xs"
        variant="default"
        className={css.foldersButton}
        aria-expanded={folders}
        aria-controls="archive-folders"
        leftSection={<IconFolders size={16} aria-hidden />}
        onClick={onFolders}
      >
        {t('folders')}
      </Button>
      {clipboard && adds && some.length === 0 && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconClipboard size={16} aria-hidden />}
          onClick={() => void paste()}
        >
          {t('paste', { count: clipboard.entries.length })}
        </Button>
      )}
      {bin && rows.length > 0 && (
        <>
          <span className={css.dim}>{t('bin_text', { days: BIN_DAYS })}</span>
          {some.length > 0 ? (
            <Button size="xs" variant="default" color="red" onClick={() => actions.purge(some)}>
              {t('purge_chosen', { count: some.length })}
            </Button>
          ) : (
            <Button size="xs" variant="default" color="red" onClick={() => void empty()}>
              {t('empty_bin_action')}
            </Button>
          )}
        </>
      )}
      {some.length > 0 && !bin && (
        <>
          <span>{t('chosen', { count: some.length })}</span>
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              void act({
                go: () => download(contentCalls.downloadFiles, { params: { id: at }, body: { ids: [...chosen] } }),
                done: () => null,
              })
            }
          >
            {t('download_zip')}
          </Button>
          {some.every(({ abilities }) => abilities.includes('move')) && (
            <Button size="xs" variant="default" onClick={() => actions.place(some, false)}>
              {t('move')}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => actions.place(some, true)}>
            {t('copy')}
          </Button>
          {some.every(({ abilities }) => abilities.includes('remove')) && (
            <Button size="xs" variant="default" color="red" onClick={() => actions.remove(some)}>
              {t('remove')}
            </Button>
          )}
        </>
      )}
    </div>
  )
}
