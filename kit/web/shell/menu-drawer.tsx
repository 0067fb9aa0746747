import { Drawer } from '@mantine/core'
import { useT } from '../i18n/catalogue.ts'
import type { MenuGroupView } from './menu.ts'
import { NavDrawer } from './nav.tsx'

/** The menu of small screens, in a drawer: fetched when somebody may open it. */
export default function MenuDrawer({
  opened,
  close,
  groups,
}: {
  opened: boolean
  close: () => void
  groups: readonly MenuGroupView[]
}) {
  const t = useT('kit')
  return (
    <Drawer
      opened={opened}
      onClose={close}
      position="left"
      size={290}
      title={t('menu')}
      padding="sm"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <NavDrawer groups={groups} />
    </Drawer>
  )
}
