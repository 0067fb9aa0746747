import { Button } from '@mantine/core'
import { IconDownload, IconPencil, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { resourceCalls } from '#kit/contract/index.ts'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, notify, Problems } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatInstant, isolate, nameOf, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { useSaidMistake } from './said.web.ts'
import { SheetView } from './sheet.web.tsx'
import { returnTemplate, templateCalls, type ShownCell, type ShownTemplate } from './template.contract.ts'
import css from '../returns.module.css'

const CellDialog = partDialog(async () => (await import('./cell.web.tsx')).CellDialog)
const calls = resourceCalls(returnTemplate)

/** A template: its sheet, what each cell asks for, and what of it cannot be read. A cell is set by choosing it. */
export default function ShowTemplate() {
  const t = useT('returns')
  const id = Number(useParams().id)
  const { may } = useMe()
  const { data, error, refetch } = useCall(calls.get, { params: { id } })
  const sheet = useCall(templateCalls.show, { params: { id } })
  const { busy, problem, go, send } = useChange('/return-templates', '/statistical-returns')
  const picker = useRef<HTMLInputElement>(null)
  const row = data?.data as { name: string; name_local: string; authority: string | null; code: string } | undefined
  if (error && !row) return <Failed error={error} retry={() => void refetch()} />
  const mayEdit = may('edit_returnTemplate')
  const upload = (file: File) =>
    void go(async () => {
      const { data: kept } = await send(templateCalls.upload, { params: { id }, file })
      const { number, mistakes } = kept
      notify.done(t('uploaded', { number, mistakes }))
    })
  const shown = sheet.data?.data
  return (
    <Page
      title={row ?? '\u00A0'}
      subtitle={row?.authority ?? '\u00A0'}
      action={
        mayEdit ? (
          <Button
            loading={busy}
            leftSection={<IconUpload size={16} aria-hidden />}
            onClick={() => picker.current?.click()}
          >
            {t(shown ? 'upload_next' : 'upload')}
          </Button>
        ) : undefined
      }
      wide
    >
      <Stack>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".xlsx"
          aria-label={t('upload')}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) upload(file)
            target.value = ''
          }}
        />
        {problem !== null && <Problems error={problem} />}
        {sheet.error && !sheet.data ? (
          <Failed error={sheet.error} retry={() => void sheet.refetch()} />
        ) : shown === undefined ? (
          <Bone height={420} />
        ) : shown === null ? (
          <Empty title={t('no_sheet')} text={t('no_sheet_text')} />
        ) : (
          <TemplateSheet
            id={id}
            shown={shown}
            mayEdit={mayEdit}
            onDownload={() => void go(() => download(templateCalls.file, { params: { id } }))}
          />
        )}
      </Stack>
    </Page>
  )
}

function TemplateSheet({
  id,
  shown,
  mayEdit,
  onDownload,
}: {
  id: number
  shown: ShownTemplate
  mayEdit: boolean
  onDownload: () => void
}) {
  const t = useT('returns')
  const say = useSaidMistake()
  const [chosen, setChosen] = useState<{ sheet: string; cell: ShownCell } | null>(null)
  const { most, more } = useMost()
  const { edition } = shown
  const mistakes = shown.cells.filter(({ mistake }) => mistake !== null)
  const cells = new Map(shown.cells.map((one) => [`${one.sheet}!${one.cell}`, one]))
  return (
    <>
      {mistakes.length > 0 && (
        <Card title={t('mistakes')} text={t('mistakes_text')}>
          <ul className={css.mistakes}>
            {mistakes.slice(0, most).map((one) => (
              <li key={`${one.sheet}!${one.cell}`}>
                <bdi>{one.sheet}</bdi> <Code>{one.cell}</Code>: {say(one.mistake!)}
              </li>
            ))}
          </ul>
          <MoreRows shown={Math.min(most, mistakes.length)} total={mistakes.length} onMore={more} />
        </Card>
      )}
      <Card
        title={t('edition_n', { number: edition.number })}
        text={[
          isolate(edition.name),
          formatInstant(edition.at),
          edition.by && isolate(nameOf(edition.by)),
          t('cells_n', { n: shown.cells.length }),
        ]
          .filter(Boolean)
          .join(' · ')}
        aside={
          <div className={`${css.line} no-print`}>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconDownload size={15} aria-hidden />}
              onClick={onDownload}
            >
              {t('download')}
            </Button>
            {mayEdit && (
              <Button
                size="compact-sm"
                variant="default"
                component={Link}
                to={to('/return-templates/edit/:id', { id })}
                leftSection={<IconPencil size={15} aria-hidden />}
              >
                {t('edit_facts')}
              </Button>
            )}
          </div>
        }
      >
        <p className={css.note}>{t('how_cells')}</p>
        <SheetView
          sheets={shown.sheets}
          mark={(sheet, cell) => {
            const one = cells.get(`${sheet}!${cell}`)
            return one ? (one.mistake ? 'open' : 'asks') : null
          }}
          onCell={mayEdit ? (sheet, cell) => setChosen({ sheet, cell }) : undefined}
        />
      </Card>
      {chosen && (
        <CellDialog
          id={id}
          edition_id={edition.id}
          sheet={chosen.sheet}
          cell={chosen.cell}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  )
}
