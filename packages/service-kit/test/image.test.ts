import { temporaryFolder } from '@frontdesk/test-kit/database'
import { PNG, SVG, WEBP } from '@frontdesk/test-kit/images'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parseImage, readImage } from '../src/image.js'

t.test('the first bytes tell the format of an image', async t => {
  const rows: Array<[content: Buffer | string, extension: string | undefined]> = [
    [PNG, 'png'],
    [WEBP, 'webp'],
    [SVG, 'svg'],
    [`\uFEFF<?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg PUBLIC "x" "y">\n<!-- b --->\n${SVG}`, 'svg'],
    ['<svg>', 'svg'],
    ['<svgx>', undefined],
    ['<html><svg>', undefined],
    ['<!-- <svg> -->', undefined],
    [PNG.subarray(1), undefined],
    [Buffer.from('GIF89a'), undefined],
    [Buffer.concat([Buffer.from('RIFF0000WAVE'), PNG]), undefined],
    ['', undefined]
  ]
  for (const [content, extension] of rows) {
    t.equal(parseImage(Buffer.from(content), ['SVG', 'PNG', 'WebP'])?.name.split('.')[1], extension, String(content).slice(0, 40))
  }
  t.equal(parseImage(SVG, ['PNG', 'WebP']), undefined)
})

t.test('a file that is no usable image is refused with a sentence', async t => {
  const inFolder = temporaryFolder(t)
  const file = (name: string, content: Buffer | string) => {
    writeFileSync(join(inFolder, name), content)
    return join(inFolder, name)
  }
  t.same(readImage(file('logo.webp', WEBP), ['WebP'], 1).content, WEBP)
  const rows: Array<[path: string, sentence: RegExp]> = [
    [join(inFolder, 'none.svg'), /none\.svg cannot be read: there is no such file/],
    [inFolder, /cannot be read: it is not a file\.$/],
    ['/dev/zero', /^\/dev\/zero cannot be read: it is not a file\.$/],
    [file('large.png', Buffer.concat([PNG, Buffer.alloc(65_536)])), /large\.png is larger than 64 KB\.$/],
    [file('logo.png', 'GIF89a'), /logo\.png is not an image in the format SVG or PNG\.$/]
  ]
  for (const [path, sentence] of rows) t.throws(() => readImage(path, ['SVG', 'PNG'], 64), { message: sentence }, path)
})
