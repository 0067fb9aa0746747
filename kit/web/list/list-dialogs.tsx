import { Suspense } from 'react'
import { part } from '../later.ts'
import type { AnyRow } from './columns.ts'
import type { ListScreenState } from './use-list-screen.ts'

const BulkDialog = part(async () => (await import('./bulk-dialog.tsx')).default)
const ExportDialog = part(async () => (await import('./export-dialog.tsx')).default)
const ImportDialog = part(async () => (await import('./import-dialog.tsx')).default)
const SaveViewDialog = part(async () => (await import('./save-view-dialog.tsx')).default)

/** Dialogs of a list: what a bulk action did, sheets out and in, a view. */
export function ListDialogs<R extends AnyRow>({ list }: { list: ListScreenState<R> }) {
  const { props, title, work, dialog, setDialog, prefs, answer, selected, count, own, here } = list
  const { columns } = props
  return (
    <Suspense>
      {work.work && (
        <BulkDialog
          title={work.work.action.label}
          total={work.work.total}
          done={work.work.done}
          results={work.work.results}
          nameOf={work.nameOf}
          onClose={work.close}
        />
      )}
      {(dialog === 'xlsx' || dialog === 'pdf') && (
        <ExportDialog
          call={(dialog === 'xlsx' ? props.exports?.xlsx : props.exports?.pdf)!}
          kind={dialog}
          columns={
            props.exports?.columns ??
            columns.flatMap((c) => (c.exports ?? [c.key]).map((key) => ({ key, label: c.label })))
          }
          shown={columns
            .filter((c) => !c.hidden && !prefs.hidden?.includes(c.key))
            .flatMap((c) => c.exports ?? [c.key])}
          body={answer.body}
          count={selected || count}
          ids={selected > 0 ? work.ids : undefined}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'import' && props.imports && (
        <ImportDialog {...props.imports} title={title} onClose={() => setDialog(null)} />
      )}
      {dialog === 'view' && (
        <SaveViewDialog
          taken={own.views.map((v) => v.name)}
          onSave={async (viewName) => {
            await own.save({ name: viewName, query: here, prefs })
            setDialog(null)
          }}
          onClose={() => setDialog(null)}
        />
      )}
    </Suspense>
  )
}
