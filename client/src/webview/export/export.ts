import type { PreviewModel } from '../../../../server/src/analysis/previewModel';
import type { ExportFormat } from '../../preview/messages';
import { pictureOf, pngOf, svgOf } from './picture';
import { reportOf } from './report';

const MAKERS: Readonly<Record<ExportFormat, (model: PreviewModel) => string>> = {
  svg: model => svgOf(pictureOf(model)),
  png: model => pngOf(pictureOf(model)),
  json: model => `${JSON.stringify(model, undefined, 2)}\n`,
  md: reportOf,
};

/** The placement in a form to take along; base64 for PNG, else text. */
export const exported = (model: PreviewModel, format: ExportFormat) => ({ format, content: MAKERS[format](model) });
