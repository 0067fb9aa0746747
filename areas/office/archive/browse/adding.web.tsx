import { useRef } from 'react'
import type { RefObject } from 'react'
import { Button, Menu } from '@mantine/core'
import { IconFileText, IconFileZip, IconFolder, IconFolderUp, IconPlus, IconUpload } from '@tabler/icons-react'
import { useT } from '#kit/web/i18n/index.ts'
import { chosenFiles, sendFiles } from './queue.web.ts'
import type { Archive } from './use-archive.web.ts'

type Pickers = Readonly<Record<'pick' | 'pickFolder' | 'pickZip', RefObject<HTMLInputElement | null>>>

/** Inputs by which files, a folder, a ZIP are chosen. */
export function usePickers(): Pickers {
  const pick = useRef<HTMLInputElement>(null)
  const pickFolder = useRef<HTMLInputElement>(null)
  const pickZip = useRef<HTMLInputElement>(null)
  return { pick, pickFolder, pickZip }
}

/** What can be added to a folder. */
export function AddMenu({
  archive: { setDialogue },
  pickers: { pick, pickFolder, pickZip },
}: {
  archive: Archive
  pickers: Pickers
}) {
  const t = useT('archive')
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<IconPlus size={16} aria-hidden />}>{t('add')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUpload size={16} aria-hidden />} onClick={() => pick.current?.click()}>
          {t('upload_files')}
        </Menu.Item>
        <Menu.Item leftSection={<IconFolderUp size={16} aria-hidden />} onClick={() => pickFolder.current?.click()}>
          {t('upload_folder')}
        </Menu.Item>
        <Menu.Item leftSection={<IconFileZip size={16} aria-hidden />} onClick={() => pickZip.current?.click()}>
          {t('upload_zip')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFolder size={16} aria-hidden />}
          onClick={() => setDialogue({ is: 'name', kind: 'folder' })}
        >
          {t('new_folder')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFileText size={16} aria-hidden />}
          onClick={() => setDialogue({ is: 'name', kind: 'page' })}
        >
          {t('new_page')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

export function Pickers({
  archive: { at, uploads, showMade },
  pickers: { pick, pickFolder, pickZip },
}: {
  archive: Archive
  pickers: Pickers
}) {
  const t = useT('archive')
  return (
    <>
      <input
        ref={pick}
        type="file"
        multiple
        hidden
        aria-label={t('upload_files')}
        onChange={({ currentTarget: input }) => {
          if (input.files) sendFiles(chosenFiles(input.files), at, uploads)
          input.value = ''
        }}
      />
      <input
        ref={pickFolder}
        type="file"
        multiple
        hidden
        aria-label={t('upload_folder')}
        {...{ webkitdirectory: '' }}
        onChange={({ currentTarget: input }) => {
          if (input.files) sendFiles(chosenFiles(input.files), at, uploads)
          input.value = ''
        }}
      />
      <input
        ref={pickZip}
        type="file"
        accept=".zip"
        hidden
        aria-label={t('upload_zip')}
        onChange={({ currentTarget: input }) => {
          if (input.files) sendFiles(chosenFiles(input.files), at, uploads, showMade)
          input.value = ''
        }}
      />
    </>
  )
}
