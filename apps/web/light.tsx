import './policy.ts'
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import '#kit/web/theme/theme.css'
import { AREA_WEBS, OUTLETS } from 'virtual:areas'
import { startLight } from '#kit/web/app/light.tsx'

void startLight({ areas: AREA_WEBS, outlets: OUTLETS })
