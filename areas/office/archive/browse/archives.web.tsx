import { useRef, useState } from 'react'
import type { DragEvent } from 'react'
import { Button, Menu } from '@mantine/core'
import {
  IconClipboard,
  IconFileText,
  IconFileZip,
  IconFolder,
  IconFolders,
  IconFolderUp,
  IconPlus,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { Bdi, Empty, Failed, Problems, act, notify, useShortcut } from '#kit/web/feedback/index.ts'
import { moved } from '#kit/web/fields/reorder.ts'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import { SearchBox } from '#kit/web/list/search-box.tsx'
import { Link, useNavigate, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { BIN_DAYS } from '../archive.rules.ts'
import { contentCalls } from '../content/content.contract.ts'
import { ROOT } from '../entry.contract.ts'
import { treeCalls } from '../tree/tree.contract.ts'
import css from './archive.module.css'
import { putClipboard, useClipboard } from './clipboard.web.ts'
import { AccessDialog, NameDialog, PlaceDialog } from './dialogs.web.tsx'
import { Folders } from './folders.web.tsx'
import type { Entry, WholeEntry } from './kinds.web.tsx'
import { Preview } from './preview.web.tsx'
import { chosenFiles, droppedFiles, sendFiles } from './queue.web.ts'
import { CARRIED, Rows } from './rows.web.tsx'
import type { RowActions } from './rows.web.tsx'
import { Uploads } from './uploads.web.tsx'

const PER_PAGE = 200

type Dialogue =
  | { readonly is: 'name'; readonly kind: 'folder' | 'page'; readonly entry?: Entry }
  | { readonly is: 'place'; readonly entries: readonly Entry[]; readonly copies: boolean }
  | { readonly is: 'access'; readonly entry: WholeEntry }

const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' })

/** The archive: one folder, what a search finds beneath it, or the recycle bin; what is chosen is shown beside it. */
export default function Archives() {
  const t = useT('archive')
  const navigate = useNavigate()
  const [address, setAddress] = useSearchParams()
  const at = Number(address.get('folder')) || ROOT
  const bin = address.has('bin')
  const search = address.get('search') ?? ''
  const page = Number(address.get('page')) || 1
  const body = { parent_id: at, search, page, perPage: PER_PAGE, removed: bin }
  const { data, error, refetch } = useCall(
    treeCalls.listArchive,
    { body },
    {
      // While the next page or another search comes, not while another folder does: what is done would be done there.
      placeholderData: (before, query) => {
        const { body: then } = (query?.queryKey[2] ?? {}) as { body?: typeof body }
        return then?.parent_id === at && then.removed === bin ? before : undefined
      },
    },
  )
  const change = useChange('/archive')
  const uploads = useChange('/archive')
  const [order, setOrder] = useState<readonly number[] | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [shown, setShown] = useState<number | null>(null)
  const [dialogue, setDialogue] = useState<Dialogue | null>(null)
  const [over, setOver] = useState(false)
  const [folders, setFolders] = useState(false)
  const clipboard = useClipboard()
  /** The one from which a range is chosen. */
  const last = useRef<number | null>(null)
  const box = useRef<HTMLInputElement>(null)
  const pick = useRef<HTMLInputElement>(null)
  const pickFolder = useRef<HTMLInputElement>(null)
  const pickZip = useRef<HTMLInputElement>(null)
  useShortcut('/', () => box.current?.focus(), t('search'))

  const rows = data?.data ?? []
  const entries = order ? order.flatMap((id) => rows.find((row) => row.id === id) ?? []) : rows
  const adds = !bin && (data?.folder.abilities.includes('add') ?? false)
  const some = entries.filter(({ id }) => chosen.has(id))
  const close = () => {
    setDialogue(null)
    change.forget()
  }
  const go = (folder: number) => {
    setChosen(new Set())
    setShown(null)
    setOrder(null)
    setAddress(folder === ROOT ? {} : { folder: String(folder) })
  }
  const move = (folder: Pick<Entry, 'id' | 'name' | 'name_local'>, ids: readonly number[], back = at) => {
    setChosen(new Set())
    void act({
      go: () => change.send(treeCalls.moveArchive, { params: { id: folder.id }, body: { ids: [...ids] } }),
      done: () => t('moved_done', { count: ids.length, name: nameOf(folder) }),
      ...(!search && {
        undo: () => change.send(treeCalls.moveArchive, { params: { id: back }, body: { ids: [...ids] } }),
      }),
    })
  }
  const actions: RowActions = {
    open: (entry) => (entry.kind === 'folder' && !bin ? go(entry.id) : setShown(entry.id)),
    rename: (entry) => setDialogue({ is: 'name', kind: 'folder', entry }),
    place: (list, copies) => setDialogue({ is: 'place', entries: list, copies }),
    download: (entry) =>
      void act({
        go: () =>
          entry.kind === 'folder'
            ? download(contentCalls.downloadFiles, { params: { id: entry.id }, body: {} })
            : download(contentCalls.downloadArchive, { params: { id: entry.id }, query: {} }),
        done: () => null,
      }),
    remove: (list) =>
      void act({
        go: async () => {
          for (const { id } of list) await change.send(treeCalls.removeArchive, { params: { id } })
          setChosen(new Set())
          setShown(null)
        },
        done: () => t('removed_done', { count: list.length }),
        undo: async () => {
          for (const { id } of list) await change.send(treeCalls.restoreArchive, { params: { id } })
        },
      }),
    restore: (entry) =>
      void act({
        go: () => change.send(treeCalls.restoreArchive, { params: { id: entry.id } }),
        done: () => t('restored_done', { name: nameOf(entry) }),
      }),
    moveInto: move,
    purge: (list) =>
      void act({
        ask: {
          title: t('purge_title', { count: list.length }),
          consequence: t('purge_text'),
          action: t('purge'),
          danger: true,
        },
        go: async () => {
          const { data: gone } = await change.send(treeCalls.emptyArchive, { body: { ids: list.map(({ id }) => id) } })
          setChosen(new Set())
          setShown(null)
          return gone.count
        },
        done: (count) => t('purged_done', { count }),
      }),
    carry: (list, cut) => {
      putClipboard({ entries: list, cut })
      notify.done(t(cut ? 'cut_done' : 'copied_done', { count: list.length }))
    },
    paste: () => void paste(),
  }
  const paste = async () => {
    if (!clipboard || !adds) return
    const { entries: list, cut } = clipboard
    const ids = list.map(({ id }) => id)
    if (cut) putClipboard(null)
    if (cut) return move(data!.folder, ids, list[0]!.parent_id ?? undefined)
    await act({
      go: () => change.send(treeCalls.pasteArchive, { params: { id: at }, body: { ids } }),
      done: () => t('pasted_done', { count: ids.length }),
    })
  }
  const empty = () =>
    act({
      ask: {
        title: t('empty_bin_title'),
        consequence: t('empty_bin_text', { count: data?.meta.count ?? 0 }),
        action: t('empty_bin_action'),
        danger: true,
      },
      go: async () => {
        let count = 0
        for (let left = 1; left > 0;) {
          const { data: gone } = await change.send(treeCalls.emptyArchive, { body: {} })
          count += gone.count
          left = gone.count ? gone.left : 0
        }
        setShown(null)
        return count
      },
      done: (count) => t('purged_done', { count }),
    })
  const choose = (id: number, on: boolean, range = false) => {
    const places = [last.current, id].map((one) => entries.findIndex((entry) => entry.id === one))
    const [from, to] = range && places[0] !== -1 ? places.toSorted((a, b) => a - b) : [places[1], places[1]]
    last.current = id
    setChosen((all) => {
      const next = new Set(all)
      for (const entry of entries.slice(from, to! + 1))
        if (on) next.add(entry.id)
        else next.delete(entry.id)
      return next
    })
  }
  const reorder = async (from: number, to: number) => {
    const next = moved(
      entries.map(({ id }) => id),
      from,
      to,
    )
    setOrder(next)
    await change.go(() => change.send(treeCalls.orderArchive, { body: { parent_id: at, ids: next } }))
    setOrder(null)
  }
  /** Opens what was made of a ZIP, where somebody still looks at the folder it was sent into. */
  const showMade = (made: number) => {
    if ((Number(new URLSearchParams(window.location.search).get('folder')) || ROOT) === at) go(made)
  }
  const carriedOnto = (folder: Pick<Entry, 'id' | 'name' | 'name_local'>) => ({
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes(CARRIED)) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      const ids = event.dataTransfer.getData(CARRIED)
      if (!ids) return
      event.preventDefault()
      move(folder, JSON.parse(ids) as number[])
    },
  })

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
      action={
        adds && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button leftSection={<IconPlus size={16} aria-hidden />}>{t('add')}</Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconUpload size={16} aria-hidden />} onClick={() => pick.current?.click()}>
                {t('upload_files')}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconFolderUp size={16} aria-hidden />}
                onClick={() => pickFolder.current?.click()}
              >
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
          onClick={() => setFolders((on) => !on)}
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
          {!data ? (
            <Bone height={360} />
          ) : (
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
                <Rows
                  entries={entries}
                  ordered={adds && !search && page === 1 && data.meta.count <= PER_PAGE}
                  chosen={chosen}
                  shown={shown}
                  actions={actions}
                  onChoose={choose}
                  onChooseAll={(on) => setChosen(new Set(on ? entries.map(({ id }) => id) : []))}
                  onOrder={(from, to) => void reorder(from, to)}
                />
              ) : (
                <Empty
                  icon={<IconFolder size={28} stroke={1.5} aria-hidden />}
                  title={t(bin ? 'empty_bin' : search ? 'empty_search' : 'empty_folder')}
                  text={adds && !search ? t('empty_folder_text') : undefined}
                />
              )}
            </div>
          )}
          {shown !== null && (
            <div key={shown} className={css.aside} ref={intoView}>
              <Preview
                id={shown}
                change={change}
                onClose={() => setShown(null)}
                onAccess={(entry) => setDialogue({ is: 'access', entry })}
              />
            </div>
          )}
        </div>
        {data && data.meta.count > PER_PAGE && (
          <div className={css.bar}>
            {[page - 1, page + 1].map((to, i) => (
              <Button
                key={i}
                size="xs"
                variant="default"
                disabled={to < 1 || (to - 1) * PER_PAGE >= data.meta.count}
                onClick={() => setAddress((now) => (now.set('page', String(to)), now))}
              >
                {t(i ? 'page_next' : 'page_before')}
              </Button>
            ))}
          </div>
        )}
      </Stack>
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
        <PlaceDialog
          change={change}
          onClose={close}
          entries={dialogue.entries}
          copies={dialogue.copies}
          from={at}
          onDone={() => setChosen(new Set())}
        />
      )}
      {dialogue?.is === 'access' && <AccessDialog change={change} onClose={close} entry={dialogue.entry} />}
    </Page>
  )
}
