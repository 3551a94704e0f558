import { helperFor } from '../../webpack.config.js';

/** The helper for an executable: one file in CommonJS, the only form that Node 24 runs from inside. */
const { output: _output, experiments: _experiments, ...bundle } = helperFor('executable', 'main.ts');

export default bundle;
