# SPDX-License-Identifier: Apache-2.0
# NVIDIA's headers, from the wheels that 'make setup' installs: CUDA code is compiled and checked on every machine. No
# library of NVIDIA's is linked; the driver and NVML are opened at run time. NVTX has nothing but headers.
file(GLOB _strobe_cuda ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/nvidia/cu13/include)
find_path(STROBE_CUDA_INCLUDE_DIR NAMES cudaTypedefs.h HINTS ${_strobe_cuda} /usr/local/cuda/include)
find_path(STROBE_NVML_INCLUDE_DIR NAMES nvml.h HINTS ${_strobe_cuda} /usr/local/cuda/include)
find_path(STROBE_NVTX_INCLUDE_DIR NAMES nvtx3/nvToolsExt.h HINTS ${_strobe_cuda} /usr/local/cuda/include)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CudaHeaders REQUIRED_VARS STROBE_CUDA_INCLUDE_DIR STROBE_NVML_INCLUDE_DIR
  STROBE_NVTX_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "run 'make setup', or name the folders of cudaTypedefs.h, nvml.h and nvtx3 (CUDA 12.0 or later)")
if(CudaHeaders_FOUND AND NOT TARGET CudaHeaders::headers)
  add_library(CudaHeaders::headers INTERFACE IMPORTED)
  target_include_directories(CudaHeaders::headers SYSTEM INTERFACE ${STROBE_CUDA_INCLUDE_DIR} ${STROBE_NVML_INCLUDE_DIR}
                             ${STROBE_NVTX_INCLUDE_DIR})
endif()
