import { useState } from 'react'
import { Button, Menu } from '@mantine/core'
import { IconFolder, IconTrash } from '@tabler/icons-react'
import { Bdi, Empty, Failed, Problems } from '#kit/web/feedback/index.ts'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, useNavigate } from '#kit/web/router/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { ROOT } from '../entry.contract.ts'
import { AddMenu, Pickers, usePickers } from './adding.web.tsx'
import css from './archive.module.css'
import { ArchiveBar } from './bar.web.tsx'
import { AccessDialog, NameDialog, MoveEntryDialog } from './dialogs.web.tsx'
import { Folders } from './folders.web.tsx'
import { EntryPreview } from './preview.web.tsx'
import { droppedFiles, sendFiles } from './queue.web.ts'
import { EntryRows } from './rows.web.tsx'
import { Uploads } from './uploads.web.tsx'
import { ENTRIES_PER_PAGE, useArchive, type Archive } from './use-archive.web.ts'

const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' })

/** The archive: one folder, what a search finds beneath it, or the recycle bin; what is chosen is shown beside it. */
export default function Archives() {
  const t = useT('archive')
  const archive = useArchive()
  const pickers = usePickers()
  const [folders, setFolders] = useState(false)
  const { at, bin, page, setAddress, data, error, refetch, change, uploads } = archive
  const { adds, shown, setShown, dialogue, setDialogue, go, carriedOnto } = archive

  if (error) return <Failed error={error} retry={() => void refetch()} />
  const title = bin ? t('recycle_bin') : data ? nameOf(data.folder) : undefined
  return (
    <Page
      title={title}
      subtitle={
        <ol className={css.path} aria-label={t('path')}>
          {(bin ? [{ id: ROOT, name: t('archive'), name_local: t('archive') }] : (data?.path ?? [])).map((step) => (
            <li key={step.id}>
              <Button variant="subtle" size="compact-sm" onClick={() => go(step.id)} {...carriedOnto(step)}>
                <Bdi>{nameOf(step)}</Bdi>
              </Button>
            </li>
          ))}
          <li>{'\u00A0'}</li>
        </ol>
      }
      action={adds && <AddMenu archive={archive} pickers={pickers} />}
      menu={
        !bin && (
          <>
            {at !== ROOT && <Menu.Item onClick={() => setShown(at)}>{t('about_folder')}</Menu.Item>}
            <Menu.Item component={Link} to="/archives?bin=1" leftSection={<IconTrash size={16} aria-hidden />}>
              {t('recycle_bin')}
            </Menu.Item>
          </>
        )
      }
    >
      <ArchiveBar archive={archive} folders={folders} onFolders={() => setFolders((on) => !on)} />
      <Stack busy={uploads.busy && !data}>
        {uploads.problem !== null && <Problems error={uploads.problem} />}
        {change.problem !== null && !dialogue && <Problems error={change.problem} />}
        <Uploads change={uploads} />
        <div className={css.place} data-aside={shown !== null || undefined}>
          <nav className={css.side} data-open={folders || undefined} id="archive-folders" aria-label={t('folders')}>
            <Folders
              at={bin ? 0 : at}
              go={(folder) => {
                setFolders(false)
                go(folder)
              }}
              path={data?.path}
              carriedOnto={carriedOnto}
            />
          </nav>
          <Listed archive={archive} />
          {shown !== null && (
            <div key={shown} className={css.aside} ref={intoView}>
              <EntryPreview
                id={shown}
                change={change}
                onClose={() => setShown(null)}
                onAccess={(entry) => setDialogue({ is: 'access', entry })}
              />
            </div>
          )}
        </div>
        {data && data.meta.count > ENTRIES_PER_PAGE && (
          <div className={css.bar}>
            {[page - 1, page + 1].map((to, i) => (
              <Button
                key={i}
                size="xs"
                variant="default"
                disabled={to < 1 || (to - 1) * ENTRIES_PER_PAGE >= data.meta.count}
                onClick={() => setAddress((now) => (now.set('page', String(to)), now))}
              >
                {t(i ? 'page_next' : 'page_before')}
              </Button>
            ))}
          </div>
        )}
      </Stack>
      <Pickers archive={archive} pickers={pickers} />
      <Dialogues archive={archive} />
    </Page>
  )
}

/** The entries, and the place into which files are dropped. */
function Listed({ archive }: { archive: Archive }) {
  const t = useT('archive')
  const [over, setOver] = useState(false)
  const { at, bin, search, page, data, adds, entries, chosen, setChosen, shown, actions, uploads } = archive
  if (!data) return <Bone height={360} />
  return (
    <div
      className={css.list}
      data-over={over || undefined}
      onDragOver={(event) => {
        if (!adds || !event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (!adds || !event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        void droppedFiles(event.dataTransfer).then((files) => sendFiles(files, at, uploads))
      }}
    >
      {entries.length > 0 ? (
        <EntryRows
          entries={entries}
          ordered={adds && !search && page === 1 && data.meta.count <= ENTRIES_PER_PAGE}
          chosen={chosen}
          shown={shown}
          actions={actions}
          onChoose={archive.choose}
          onChooseAll={(on) => setChosen(new Set(on ? entries.map(({ id }) => id) : []))}
          onOrder={(from, to) => void archive.reorder(from, to)}
        />
      ) : (
        <Empty
          icon={<IconFolder size={28} stroke={1.5} aria-hidden />}
          title={t(bin ? 'empty_bin' : search ? 'empty_search' : 'empty_folder')}
          text={adds && !search ? t('empty_folder_text') : undefined}
        />
      )}
    </div>
  )
}

/** What is asked in a dialog. */
function Dialogues({ archive: { at, change, dialogue, close, setChosen } }: { archive: Archive }) {
  const navigate = useNavigate()
  return (
    <>
      {dialogue?.is === 'name' && (
        <NameDialog
          change={change}
          onClose={close}
          parent_id={at}
          kind={dialogue.kind}
          {...(dialogue.entry && { entry: dialogue.entry })}
          onMade={(id) => (dialogue.kind === 'page' ? void navigate(`/editor/${id}`) : undefined)}
        />
      )}
      {dialogue?.is === 'place' && (
        <MoveEntryDialog
          change={change}
          onClose={close}
          entries={dialogue.entries}
          copies={dialogue.copies}
          from={at}
          onDone={() => setChosen(new Set())}
        />
      )}
      {dialogue?.is === 'access' && <AccessDialog change={change} onClose={close} entry={dialogue.entry} />}
    </>
  )
}
