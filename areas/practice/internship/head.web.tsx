import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Label } from '#kit/contract/index.ts'
import { Code, Failed } from '#kit/web/feedback/index.ts'
import { useLabel } from '#kit/web/i18n/index.ts'
import { Link } from '#kit/web/router/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'

/** In the place of a record that is not there yet, or that could not be had. */
export function Coming({ error, retry }: { readonly error: Error | null; readonly retry: () => unknown }) {
  if (error) return <Failed error={error} retry={() => void retry()} />
  return (
    <Page title={null}>
      <Bone height={420} />
    </Page>
  )
}

interface Row {
  readonly code: string
  readonly name: string
  readonly name_local: string
  readonly abilities: readonly string[]
}
/** The page of a record of the internship year: its names, its code and what tells it apart, and the way to its form. */
export function RecordPage({
  row,
  beside,
  form,
  editing,
  children,
}: {
  readonly row: Row
  readonly beside: ReactNode
  readonly form: string
  readonly editing: Label
  readonly children: ReactNode
}) {
  const say = useLabel()
  return (
    <Page
      title={row}
      subtitle={
        <Dotted>
          <Code>{row.code}</Code>
          {beside}
        </Dotted>
      }
      action={
        row.abilities.includes('edit') && (
          <Button variant="default" component={Link} to={form} leftSection={<IconPencil size={16} aria-hidden />}>
            {say(editing)}
          </Button>
        )
      }
    >
      <Stack>{children}</Stack>
    </Page>
  )
}
