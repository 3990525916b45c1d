const { project } = require('../jest.preset.js');

module.exports = { ...project(__dirname), testMatch: ['<rootDir>/**/*.spec.ts'] };
